"""Cities that everybody tells from a district or a country: two of them are two places, never one inside the other."""

from __future__ import annotations

from memstrata_integrations.words import unaccented

__all__ = ["CITIES"]

CITIES = frozenset(
    unaccented(name.strip()).casefold()
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
Duisburg, Bochum, Wuppertal, Bielefeld, Mannheim, Karlsruhe, Augsburg, Wiesbaden, Gelsenkirchen, Aachen,
Braunschweig, Chemnitz, Magdeburg, Halle, Erfurt, Kassel, Saarbrücken, Potsdam, Oldenburg, Osnabrück, Paderborn,
Regensburg, Ingolstadt, Würzburg, Ulm, Wolfsburg, Göttingen, Koblenz, Jena, Trier, Konstanz, Passau, Bamberg,
Weimar, Schwerin, Flensburg, Klagenfurt, Villach, St. Gallen, Winterthur, Lugano, Reims, Le Havre, Dijon, Angers,
Nîmes, Brest, Le Mans, Aix-en-Provence, Clermont-Ferrand, Tours, Limoges, Amiens, Perpignan, Metz, Besançon, Orléans,
Rouen, Mulhouse, Caen, Nancy, Avignon, Poitiers, La Rochelle, Annecy, Messina, Padua, Brescia, Parma, Modena,
Reggio Emilia, Perugia, Livorno, Ravenna, Cagliari, Rimini, Ferrara, Salerno, Sassari, Bergamo, Pescara, Vicenza,
Trento, Bolzano, Udine, Ancona, Lecce, Pisa, Siena, Lucca, Arezzo, Murcia, Palma, Las Palmas, Alicante, Córdoba,
Valladolid, Vigo, Gijón, Vitoria, A Coruña, Oviedo, Pamplona, San Sebastián, Santander, Salamanca, Cádiz, Toledo,
Girona, Tarragona, Funchal, Aveiro, Évora, Setúbal, Haarlem, Arnhem, Nijmegen, Breda, Tilburg, Enschede, Apeldoorn,
Zwolle, The Hague, Den Haag, Liège, Namur, Charleroi, Mechelen, Coventry, Hull, Bradford, Stoke-on-Trent,
Wolverhampton, Derby, Portsmouth, Preston, Sunderland, Gloucester, Worcester, Lincoln, Lancaster, Carlisle, Durham,
Inverness, Stirling, Perth, Londonderry, Derry, Sligo, Kilkenny, Örebro, Västerås, Helsingborg, Norrköping,
Jönköping, Umeå, Luleå, Kristiansand, Drammen, Esbjerg, Kolding, Vejle, Lahti, Jyväskylä, Kuopio, Rovaniemi, Pori,
Narva, Pärnu, Daugavpils, Liepaja, Klaipėda, Bydgoszcz, Lublin, Białystok, Szczecin, Toruń, Rzeszów, Kielce, Olsztyn,
Opole, Plzeň, Olomouc, Liberec, Žilina, Nitra, Prešov, Pécs, Győr, Miskolc, Iași, Brașov, Constanța, Sibiu, Oradea,
Craiova, Burgas, Ruse, Niš, Novi Sad, Maribor, Zadar, Osijek, Mostar, Heraklion, Volos, Ioannina, Bursa, Antalya,
Adana, Konya, Gaziantep, Dnipro, Zaporizhzhia, Fort Worth, Charlotte, Oklahoma City, El Paso, Louisville, Fresno,
Kansas City, Omaha, Raleigh, Virginia Beach, Colorado Springs, Tulsa, Wichita, Honolulu, Anchorage, Boise, Spokane,
Tacoma, Reno, Des Moines, Madison, Buffalo, Rochester, Syracuse, Albany, Hartford, Providence, Savannah, Charleston,
Birmingham, Knoxville, Chattanooga, Little Rock, Baton Rouge, Ann Arbor, Santa Fe, Eugene, Hamilton, Regina,
Saskatoon, Victoria, Kelowna, St. John's, Puebla, Tijuana, Mérida, Oaxaca,
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
