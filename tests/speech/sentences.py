"""What the voices say in the proofs: varied sentences, by language, in words that have one spelling."""

from collections.abc import Mapping, Sequence

ENGLISH = """
Good evening, and welcome to the island.
The old lighthouse keeper said the fog would lift by noon.
Nobody expected the train to arrive before midnight.
She closed the window, because the rain had started again.
Three ships left the harbor, and only two of them came back.
What would you do with a thousand dollars?
The mayor promised a new bridge, but the money was gone.
My grandmother kept her letters in a wooden box under the stairs.
Please leave the door open when you go.
He had never seen so many stars in his life.
The recipe needs two eggs, some butter, and a little patience.
Every Sunday the whole village meets at the market.
I think we should wait until the morning.
The captain ordered his crew to turn the ship around.
There is a small garden behind the school.
Winter came early that year, and the river froze in November.
Can you hear the music from the other side of the valley?
The doctor told him to drink more water and sleep longer.
A strange light appeared above the mountains.
They walked for seven hours without saying a word.
The library will be closed on Friday.
Her brother works as a baker in the next town.
Nothing in the report explained where the money had gone.
The children built a castle out of sand and shells.
After the concert, everybody stayed for dinner.
It was the longest journey that anyone had ever made.
The farmer found an ancient coin in his field.
You should bring a warm coat, since the nights are cold.
The teacher wrote the answer on the board and smiled.
Two hundred people signed the letter.
The engine made a terrible noise and then stopped.
In the middle of the lake there is a tiny island.
He opened the envelope slowly, afraid of what it might say.
The museum shows paintings from all over the world.
We planted apple trees along the road.
Why did the birds suddenly stop singing?
The company will hire fifty new workers this summer.
She speaks four languages and plays the violin.
The storm destroyed the roof of the church.
Breakfast is served between seven and ten.
An old man sat on the bench, feeding the pigeons.
The scientists discovered a new kind of fish.
Turn left at the bridge, and then follow the river.
His voice was so quiet that we could hardly hear him.
The price of bread has doubled since last year.
I have lost my keys, my phone, and my temper.
Late at night, the streets are completely empty.
The president will speak to the nation tomorrow.
Cats see very well in the dark.
The ferry leaves from the eastern dock at half past nine.
Do you remember the summer we spent by the sea?
The soldiers marched through the gate at dawn.
A good story needs a beginning, a middle, and an end.
The milk is in the fridge, next to the cheese.
They agreed to meet again in September.
The walls of the cave were covered with drawings.
He counted the steps, and there were ninety nine.
Most of the passengers were already asleep.
The judge listened carefully to both sides.
My favorite color is green.
The village has one shop, one school, and no doctor.
She found the answer in a very old book.
The water was cold, clear, and deep.
Somebody had painted the front door bright red.
Is there any coffee left in the kitchen?
The hunter followed the tracks into the forest.
Our neighbors have moved to another city.
The bell rang, and the children ran outside.
He learned to swim when he was sixty years old.
The wind blew all night, and nobody could sleep.
There were twelve chairs around the table.
The police are looking for a blue car.
I will call you as soon as I arrive.
The bees make honey from the flowers on the hill.
She wore a long black dress and silver shoes.
The whole audience stood up and cheered.
Most children love to listen to stories.
The map was old, but the roads had not changed.
The painter worked on the picture for eleven months.
Everything we know about the king comes from one letter.
The moon rose slowly over the silent fields.
You can take the bus, or you can walk along the canal.
The factory closed ten years ago.
He bought a ticket and sat down by the window.
The dog waited at the station every evening.
There is no reason to be afraid of the dark.
The pilot saw the runway at the very last moment.
Wash your hands before you touch the bread.
The kitchen smelled of garlic and fresh herbs.
A single candle was burning in the window.
Her first book was published in the spring.
The twins looked so alike that even their father was confused.
The army crossed the river during the night.
We have enough food for another week.
The bridge was built more than a century ago.
Suddenly the phone rang, and everyone fell silent.
The gardener cut the roses and put them in a vase.
This road leads to the old copper mine.
The last train had already left, so they stayed.
And now, here is the weather for tomorrow.
The clock on the tower has not worked since the war.
Both teams played well, but neither of them won.
Fresh snow covered the path to the cabin.
That was the news, and this is the end of our program.
The ticket costs $5.50 and is good for 3 days.
Dr. Smith was born in 1984, on May 21st.
The train at 9:30 is 15 minutes late.
It is 20°C outside, and the wind blows at 30 km/h.
About 40% of the $2 million was spent.
King Henry VIII had 6 wives.
We won 3-2 in the last minute.
Add 1/2 cup of sugar and 250 g of flour.
"""

SPANISH = """
Buenas noches y bienvenidos a la isla.
El barco salió del puerto antes del amanecer.
Mi abuela guardaba las cartas en una caja de madera.
Todos los domingos el pueblo se reúne en el mercado.
La tormenta destruyó el techo de la iglesia.
Es el momento de volver a casa.
En la quietud de la noche se oía el mar.
Los niños construyeron un castillo de arena.
Nadie esperaba que el tren llegara tan tarde.
El médico le dijo que durmiera más.
Hay un pequeño jardín detrás de la escuela.
La luna salió lentamente sobre los campos.
Mi hermano trabaja en una panadería.
Mañana va a llover en toda la costa.
El perro esperaba en la estación todas las tardes.
Compramos pan, queso y un poco de vino.
La puerta estaba abierta y la luz encendida.
El camino sigue hasta la vieja mina.
Ella habla cuatro idiomas y toca el violín.
Estas fueron las noticias de hoy.
"""

FRENCH = """
Bonsoir et bienvenue sur notre île.
Le bateau a quitté le port avant l'aube.
Ma grand-mère gardait ses lettres dans une boîte en bois.
Tous les dimanches, le village se retrouve au marché.
La tempête a détruit le toit de la maison.
Il y a un petit jardin derrière l'école.
Les enfants ont construit un château de sable.
Personne ne savait où était passé l'argent.
Le médecin lui a dit de dormir davantage.
La lune se levait lentement sur les champs.
Mon frère travaille dans une boulangerie.
Demain, il va pleuvoir sur toute la côte.
Le chien attendait à la gare tous les soirs.
Nous avons acheté du pain et du fromage.
La porte était ouverte et la lumière allumée.
Elle parle quatre langues et joue du violon.
Le train est arrivé avec une heure de retard.
Ce chemin mène à la vieille mine.
Voici maintenant la météo de demain.
C'était les informations de ce soir.
"""

ITALIAN = """
Buonasera e benvenuti sulla nostra isola.
La nave ha lasciato il porto prima dell'alba.
Mia nonna teneva le lettere in una scatola di legno.
Ogni domenica il paese si ritrova al mercato.
La tempesta ha distrutto il tetto della chiesa.
C'è un piccolo giardino dietro la scuola.
I bambini hanno costruito un castello di sabbia.
Nessuno sapeva dove fosse finito il denaro.
Il medico gli ha detto di dormire di più.
La luna sorgeva lentamente sopra i campi.
Mio fratello lavora in una panetteria.
Domani pioverà su tutta la costa.
Il cane aspettava alla stazione ogni sera.
Abbiamo comprato il pane e il formaggio.
La porta era aperta e la luce accesa.
Lei parla quattro lingue e suona il violino.
Il treno è arrivato con un'ora di ritardo.
Questa strada porta alla vecchia miniera.
Ecco adesso le previsioni del tempo.
Queste erano le notizie di oggi.
"""

PORTUGUESE = """
Boa noite e bem-vindos à nossa ilha.
O barco saiu do porto antes do amanhecer.
Minha avó guardava as cartas numa caixa de madeira.
Todos os domingos a cidade se encontra no mercado.
A tempestade destruiu o telhado da igreja.
Há um pequeno jardim atrás da escola.
As crianças construíram um castelo de areia.
Ninguém sabia onde estava o dinheiro.
O médico disse que ele devia dormir mais.
A lua subia devagar sobre os campos.
Meu irmão trabalha numa padaria.
Amanhã vai chover em toda a costa.
O cachorro esperava na estação todas as tardes.
Nós compramos pão e queijo.
A porta estava aberta e a luz acesa.
Ela fala quatro línguas e toca violino.
O trem chegou com uma hora de atraso.
Este caminho leva até a velha mina.
Agora, a previsão do tempo para amanhã.
Estas foram as notícias de hoje.
"""

HINDI = """
नमस्ते, आप कैसे हैं?
मेरा नाम सीता है।
आज मौसम बहुत अच्छा है।
मुझे चाय पसंद है।
बच्चे स्कूल जा रहे हैं।
यह किताब बहुत पुरानी है।
कल बारिश होगी।
नदी के किनारे एक गाँव है।
वह रोज सुबह जल्दी उठता है।
हम सब साथ में खाना खाते हैं।
दरवाज़ा खुला है।
आज का समाचार समाप्त हुआ।
"""

JAPANESE = """
こんばんは、島へようこそ。
今日はとても良い天気です。
私の名前は花子です。
明日は雨が降るでしょう。
子供たちは学校へ行きました。
この本はとても古いです。
毎週日曜日に市場へ行きます。
以上、今日のニュースでした。
"""

CHINESE = """
晚上好，欢迎收听我们的节目。
今天天气很好。
我的名字叫小明。
明天会下雨。
孩子们都去学校了。
这本书非常有意思。
我们每个星期天去市场。
以上是今天的新闻。
"""

BY_LANGUAGE: Mapping[str, Sequence[str]] = {
    "en": ENGLISH.strip().splitlines(),
    "es": SPANISH.strip().splitlines(),
    "fr": FRENCH.strip().splitlines(),
    "it": ITALIAN.strip().splitlines(),
    "pt": PORTUGUESE.strip().splitlines(),
    "hi": HINDI.strip().splitlines(),
    "ja": JAPANESE.strip().splitlines(),
    "zh": CHINESE.strip().splitlines(),
}
"""By the first two letters of a voice's language."""
