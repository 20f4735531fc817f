"""Cities that everybody tells from a district or a country: two of them are two places, never one inside the other."""

from __future__ import annotations

__all__ = ["CITIES"]

CITIES = frozenset(
    name.strip().casefold()
    for name in """
Amsterdam, Athens, Belgrade, Berlin, Bern, Bratislava, Brussels, Bucharest, Budapest, Chisinau, Copenhagen,
Dublin, Helsinki, Kyiv, Kiev, Lisbon, Ljubljana, London, Luxembourg, Madrid, Minsk, Moscow, Nicosia, Oslo,
Paris, Prague, Reykjavik, Riga, Rome, Sarajevo, Skopje, Sofia, Stockholm, Tallinn, Tirana, Valletta, Vienna,
Vilnius, Warsaw, Zagreb, Hamburg, Munich, Cologne, Frankfurt, Stuttgart, Düsseldorf, Dortmund, Essen, Leipzig,
Bremen, Dresden, Hanover, Nuremberg, Bonn, Münster, Mainz, Kiel, Lübeck, Rostock, Freiburg, Heidelberg, Graz,
Linz, Salzburg, Innsbruck, Zurich, Zürich, Geneva, Basel, Lausanne, Lucerne, Lyon, Marseille, Toulouse, Nice,
Nantes, Strasbourg, Montpellier, Bordeaux, Lille, Rennes, Grenoble, Milan, Naples, Turin, Palermo, Genoa,
Bologna, Florence, Venice, Verona, Bari, Catania, Trieste, Barcelona, Valencia, Seville, Zaragoza, Málaga,
Bilbao, Granada, Porto, Braga, Coimbra, Faro, Antwerp, Ghent, Bruges, Leuven, Rotterdam, Utrecht, Eindhoven,
Groningen, Maastricht, Leiden, Delft, Manchester, Birmingham, Leeds, Glasgow, Liverpool, Edinburgh, Bristol,
Sheffield, Cardiff, Belfast, Newcastle, Nottingham, Southampton, Leicester, Brighton, Oxford, Cambridge, York,
Bath, Norwich, Exeter, Plymouth, Aberdeen, Dundee, Swansea, Cork, Galway, Limerick, Waterford, Gothenburg,
Malmö, Uppsala, Lund, Linköping, Bergen, Trondheim, Stavanger, Tromsø, Aarhus, Odense, Aalborg, Tampere, Turku,
Espoo, Oulu, Tartu, Kaunas, Gdansk, Gdańsk, Gdynia, Kraków, Krakow, Cracow, Wrocław, Wroclaw, Poznań, Poznan,
Łódź, Katowice, Brno, Ostrava, Košice, Szeged, Debrecen, Cluj, Timișoara, Plovdiv, Varna, Thessaloniki, Patras,
Split, Rijeka, Istanbul, Ankara, Izmir, Saint Petersburg, Odesa, Lviv, Kharkiv, Tbilisi, Yerevan, Baku, New
York, Los Angeles, Chicago, Houston, Phoenix, Philadelphia, San Antonio, San Diego, Dallas, San Jose, Austin,
Jacksonville, San Francisco, Columbus, Indianapolis, Seattle, Denver, Boston, Nashville, Detroit, Portland, Las
Vegas, Memphis, Baltimore, Milwaukee, Albuquerque, Tucson, Sacramento, Atlanta, Miami, Minneapolis, Cleveland,
New Orleans, Tampa, Pittsburgh, Cincinnati, St. Louis, Orlando, Salt Lake City, Washington, Toronto, Montreal,
Montréal, Vancouver, Calgary, Ottawa, Edmonton, Winnipeg, Quebec City, Halifax, Mexico City, Guadalajara,
Monterrey, Havana, Bogotá, Bogota, Medellín, Lima, Quito, Caracas, Santiago, Buenos Aires, Córdoba, Rosario,
Montevideo, São Paulo, Rio de Janeiro, Brasília, Salvador, Cairo, Alexandria, Casablanca, Rabat, Marrakesh,
Tunis, Algiers, Lagos, Abuja, Accra, Nairobi, Addis Ababa, Kampala, Johannesburg, Cape Town, Durban, Pretoria,
Dakar, Luanda, Tel Aviv, Jerusalem, Haifa, Beirut, Amman, Damascus, Baghdad, Tehran, Dubai, Abu Dhabi, Doha,
Riyadh, Jeddah, Kuwait City, Karachi, Lahore, Islamabad, Delhi, New Delhi, Mumbai, Bangalore, Bengaluru,
Chennai, Kolkata, Hyderabad, Pune, Dhaka, Colombo, Kathmandu, Kabul, Tashkent, Almaty, Beijing, Shanghai,
Shenzhen, Guangzhou, Chengdu, Wuhan, Hangzhou, Taipei, Seoul, Busan, Tokyo, Osaka, Kyoto, Nagoya, Sapporo,
Fukuoka, Yokohama, Bangkok, Hanoi, Ho Chi Minh City, Manila, Jakarta, Kuala Lumpur, Singapore, Sydney,
Melbourne, Brisbane, Perth, Adelaide, Canberra, Hobart, Auckland, Wellington, Christchurch
""".replace("\n", " ").split(",")
)
"""Large cities, in lower case."""
