package value

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// showValues writes values as "type text = norm".
func showValues(vals []Value) string {
	var out []string
	for _, v := range vals {
		out = append(out, fmt.Sprintf("%s %s = %s", v.Type, v.Text, v.Norm))
	}
	return strings.Join(out, " ; ")
}

// findCases are texts and the values in them.
var findCases = []struct{ lang, in, want string }{
	{"en", "", ""},
	{"en", "no values here", ""},

	// numbers
	{"en", "1,234.5 and 1,234,567 and 0.5 and .5", "number 1,234.5 = 1234.5 ; number 1,234,567 = 1234567 ; number 0.5 = 0.5 ; number .5 = 0.5"},
	{"de", "1.234,5 und 1.234.567 und 0,5 und 1.5", "number 1.234,5 = 1234.5 ; number 1.234.567 = 1234567 ; number 0,5 = 0.5 ; number 1.5 = 1.5"},
	{"de-CH", "1'234.50", "number 1'234.50 = 1234.5"},
	{"fr", "1 234,5 et 12\u202f345", "number 1 234,5 = 1234.5 ; number 12\u202f345 = 12345"},
	{"en", "pages 12 345", "number 12 = 12 ; number 345 = 345"},
	{"en", "It costs 12 500 dollars, $12 500 or 12 500 € and weighs 12 500 kg.", "money 12 500 dollars = 12500 USD ; money $12 500 = 12500 USD ; money 12 500 € = 12500 EUR ; quantity 12 500 kg = 12500 kg"},
	{"en", "a bottle for $12 500 ml, €5 200 g", "money $12 = 12 USD ; quantity 500 ml = 0.5 L ; money €5 = 5 EUR ; quantity 200 g = 0.2 kg"},
	{"en", "Take Interstate 5 200 miles north, see page 12 500, in 2019 500 dollars, 012 500 dollars, x12 500 dollars and 12 5000 dollars",
		"number 5 = 5 ; quantity 200 miles = 321869 m ; number 12 = 12 ; number 500 = 500 ; date 2019 = 2019 ; money 500 dollars = 500 USD ; number 012 = 12 ; money 500 dollars = 500 USD ; money 500 dollars = 500 USD ; number 12 = 12 ; money 5000 dollars = 5000 USD"},
	{"en", "12,34,567 rupees", "money 12,34,567 rupees = 1234567 INR"},
	{"", "1,234 1.234 1,5", "number 1,234 = 1234 ; number 1.234 = 1.234 ; number 1,5 = 1.5"},
	{"en", "1,2,3", "number 1 = 1 ; number 2 = 2 ; number 3 = 3"},
	{"en", "1.5e10, 6.02×10^23, 3 x 10⁵, 10⁵, 2^8", "number 1.5e10 = 15000000000 ; number 6.02×10^23 = 6.02e+23 ; number 3 x 10⁵ = 300000 ; number 10⁵ = 100000 ; number 2^8 = 256"},
	{"en", "-5 and −3.2 but A-5 and 3-5", "number -5 = -5 ; number −3.2 = -3.2 ; number 3 = 3 ; number 5 = 5"},
	{"en", "½ or 2½ or 2 1/2 or 1/4", "number ½ = 0.5 ; number 2½ = 2.5 ; number 2 1/2 = 2.5 ; number 1/4 = 0.25"},
	{"en", "open 24/7 since 9/11, rated 4/5, 3/17", "number 4/5 = 0.8 ; number 3/17 = 0.176470588235294"},
	{"en", "half a million, a quarter, one third, five and a half million, 3 million and a half", "number half a million = 500000 ; number a quarter = 0.25 ; number one third = 0.333333333333333 ; number five and a half million = 5500000 ; number 3 million and a half = 3500000"},
	{"en", "1.2 million, 3 thousand, 10k, 5M users, 2 lakh", "number 1.2 million = 1200000 ; number 3 thousand = 3000 ; number 10k = 10000 ; number 5M = 5000000 ; number 2 lakh = 200000"},
	{"en", "version 3.45.1, 192.168.0.1, x86, MP3, COVID-19, ISO 8859-1, 3D, 4x4, utf8", ""},
	{"en", "git-log(1), see printf(3) and malloc(3p) or open[2]", ""},
	{"en", "Reviews(5) of (3) pages, f(12), up to (4)", "number 5 = 5 ; number 3 = 3 ; number 12 = 12 ; number 4 = 4"},
	{"en", "the 5th and 21st, the third", "number 5th = 5th ; number 21st = 21st ; number third = 3rd"},
	{"en", "twenty-one, two hundred and five, three million, a dozen, half", "number twenty-one = 21 ; number two hundred and five = 205 ; number three million = 3000000 ; number a dozen = 12"},
	{"en", "one of them, no one, two and a half, two thirds, two point five", "number two and a half = 2.5 ; number two thirds = 0.666666666666667 ; number two point five = 2.5"},
	{"en", "minus half a million, minus five, minus 5", "number minus half a million = -500000 ; number minus five = -5 ; number minus 5 = -5"},
	{"de", "einundzwanzig, zweihundertfünfzig, drei Millionen, 5 Mio.", "number einundzwanzig = 21 ; number zweihundertfünfzig = 250 ; number drei Millionen = 3000000 ; number 5 Mio. = 5000000"},
	{"fr", "quatre-vingt-dix-sept, deux mille trois cents, vingt et un", "number quatre-vingt-dix-sept = 97 ; number deux mille trois cents = 2300 ; number vingt et un = 21"},
	{"es", "treinta y dos, dos mil quinientos, 3 mil millones", "number treinta y dos = 32 ; number dos mil quinientos = 2500 ; number 3 mil millones = 3000000000"},
	{"it", "duecentocinquanta, ventuno, tremila", "number duecentocinquanta = 250 ; number ventuno = 21 ; number tremila = 3000"},
	{"ru", "двадцать пять, 3 тыс. и 5 млн", "number двадцать пять = 25 ; number 3 тыс. = 3000 ; number 5 млн = 5000000"},
	{"zh", "人口1.3亿，三百二十人，5万4千6百，三点五，三分之二，百分之五，负40%，二百五", "number 1.3亿 = 130000000 ; number 三百二十 = 320 ; number 5万4千6百 = 54600 ; number 三点五 = 3.5 ; number 三分之二 = 0.666666666666667 ; quantity 百分之五 = 5 % ; quantity 负40% = -40 % ; number 二百五 = 250"},
	{"ja", "二百五、3分の2、三億五千万、2ドル3セント、二〇二四", "number 二百五 = 205 ; number 3分の2 = 0.666666666666667 ; number 三億五千万 = 350000000 ; money 2ドル = 2 USD ; number 3 = 3 ; number 二〇二四 = 2024"},
	{"tr", "%5 ve yüzde 20", "quantity %5 = 5 % ; quantity yüzde 20 = 20 %"},
	{"es", "2 millones y medio de euros, dos horas y media", "money 2 millones y medio de euros = 2500000 EUR ; duration dos horas y media = PT2H30M"},
	{"ar", "العدد ١٢٣", "number ١٢٣ = 123"},

	// quantities
	{"en", "3,245 lbs and 1472 kg", "quantity 3,245 lbs = 1471.91 kg ; quantity 1472 kg = 1472 kg"},
	{"en", "5'10\" or 6 ft 2 in or 27 inches, a 27\" monitor", "quantity 5'10\" = 1.778 m ; quantity 6 ft 2 in = 1.8796 m ; quantity 27 inches = 0.6858 m ; quantity 27\" = 0.6858 m"},
	{"en", "He said \"I am 27\" and left", "number 27 = 27"},
	{"en", "a six-mile trip, 10 square feet, 120 km/h, 60 mph", "quantity six-mile = 9656.06 m ; quantity 10 square feet = 0.92903 m² ; quantity 120 km/h = 33.3333 m/s ; quantity 60 mph = 26.8224 m/s"},
	{"en", "200 hp @ 6000 rpm, 149 kW, 204 PS, 280 lb-ft, 380 Nm", "quantity 200 hp = 149140 W ; quantity 6000 rpm = 6000 rpm ; quantity 149 kW = 149000 W ; quantity 204 PS = 150042 W ; quantity 280 lb-ft = 379.629 N·m ; quantity 380 Nm = 380 N·m"},
	{"en", "1998 cc, 2.0 L, 30 mpg, 7.8 l/100km, 16 GB, 512 MiB, 100 Mbps", "quantity 1998 cc = 1.998 L ; quantity 2.0 L = 2 L ; quantity 30 mpg = 7.84049 L/100km ; quantity 7.8 l/100km = 7.8 L/100km ; quantity 16 GB = 16000000000 B ; quantity 512 MiB = 536871000 B ; quantity 100 Mbps = 100000000 bit/s"},
	{"en-GB", "40 mpg and 2 gallons", "quantity 40 mpg = 7.06202 L/100km ; quantity 2 gallons = 9.09218 L"},
	{"en", "20 °C, 68°F, -5 degrees Celsius, 300 K, 45 degrees", "quantity 20 °C = 20 °C ; quantity 68°F = 20 °C ; quantity -5 degrees Celsius = -5 °C ; quantity 300 K = 26.85 °C ; quantity 45 degrees = 45 °"},
	{"en", "5%, 12.5 percent, 3 ‰", "quantity 5% = 5 % ; quantity 12.5 percent = 12.5 % ; quantity 3 ‰ = 0.3 %"},
	{"en", "12 m², 5 m^2, 3 cubic metres, 32 psi, 2.2 bar, 75 kWh, 15 kWh/100km, 120 g/km", "quantity 12 m² = 12 m² ; quantity 5 m^2 = 5 m² ; quantity 3 cubic metres = 3000 L ; quantity 32 psi = 220632 Pa ; quantity 2.2 bar = 220000 Pa ; quantity 75 kWh = 270000000 J ; quantity 15 kWh/100km = 15 kWh/100km ; quantity 120 g/km = 120 g/km"},
	{"en", "5–10 kg, 8- to 16-meter, 10 x 20 x 30 cm", "quantity 5 = 5 kg ; quantity 10 kg = 10 kg ; quantity 8 = 8 m ; quantity 16-meter = 16 m ; quantity 10 = 0.1 m ; quantity 20 = 0.2 m ; quantity 30 cm = 0.3 m"},
	{"de", "1.472 kg, 5,5 Liter, 150 PS, 20 Grad Celsius, 3 Prozent", "quantity 1.472 kg = 1472 kg ; quantity 5,5 Liter = 5.5 L ; quantity 150 PS = 110325 W ; quantity 20 Grad Celsius = 20 °C ; quantity 3 Prozent = 3 %"},
	{"ru", "5 км, 3,5 кг, 100 л.с., 20 процентов", "quantity 5 км = 5000 m ; quantity 3,5 кг = 3.5 kg ; quantity 100 л.с = 73549.9 W ; quantity 20 процентов = 20 %"},
	{"zh", "长5公里，重3.5公斤", "quantity 5公里 = 5000 m ; quantity 3.5公斤 = 3.5 kg"},
	{"en", "5 in 10 people, 5 A students, 3 in. long, 2 in wide", "number 5 = 5 ; number 10 = 10 ; number 5 = 5 ; quantity 3 in = 0.0762 m ; quantity 2 in = 0.0508 m"},
	{"en", "24703 L-202 and 13F filing", "number 24703 = 24703"},

	// money
	{"en", "$5, US$ 1,200.50, €3.5 million, £2bn, 5 dollars, USD 20, 30 EUR", "money $5 = 5 USD ; money US$ 1,200.50 = 1200.5 USD ; money €3.5 million = 3500000 EUR ; money £2bn = 2000000000 GBP ; money 5 dollars = 5 USD ; money USD 20 = 20 USD ; money 30 EUR = 30 EUR"},
	{"en", "for seven pounds fifty, or 9 pounds 40; lost 9 pounds 40 days later", "money seven pounds fifty = 7.5 GBP ; money 9 pounds 40 = 9.4 GBP ; quantity 9 pounds = 4.08233 kg ; duration 40 days = PT960H"},
	{"fr", "sept euros cinquante pour deux", "money sept euros cinquante = 7.5 EUR ; number deux = 2"},
	{"en", "$1.2M or 1.2 million dollars or 3 dollars 50 cents or 99¢ or -$5", "money $1.2M = 1200000 USD ; money 1.2 million dollars = 1200000 USD ; money 3 dollars 50 cents = 3.5 USD ; money 99¢ = 0.99 USD ; money -$5 = -5 USD"},
	{"en", "$5–10 million, $1,600–$7,000, S$1,200-2,000 each", "money $5 = 5000000 USD ; money 10 million = 10000000 USD ; money $1,600 = 1600 USD ; money $7,000 = 7000 USD ; money S$1,200 = 1200 SGD ; money 2,000 = 2000 SGD"},
	{"en-CA", "$5", "money $5 = 5 CAD"}, {"es", "$5", "money $5 = 5 $"}, {"es-MX", "$1,200.50", "money $1,200.50 = 1200.5 MXN"},
	{"de", "1.234,50 €, 5 Mio. Euro, CHF 20", "money 1.234,50 € = 1234.5 EUR ; money 5 Mio. Euro = 5000000 EUR ; money CHF 20 = 20 CHF"},
	{"sv", "100 kr", "money 100 kr = 100 SEK"}, {"ja", "1,500円、¥300", "money 1,500円 = 1500 JPY ; money ¥300 = 300 JPY"}, {"zh", "¥300，5元", "money ¥300 = 300 CNY ; money 5元 = 5 CNY"},
	{"pt", "R$ 1.234,50", "money R$ 1.234,50 = 1234.5 BRL"}, {"en", "₹5 crore", "money ₹5 crore = 50000000 INR"}, {"ru", "5 млн руб.", "money 5 млн руб = 5000000 RUB"},
	{"es", "3 millones de euros", "money 3 millones de euros = 3000000 EUR"},

	// dates
	{"en", "2024-03-05, 5 March 2024, March 5th, 2024, 5th of March 2024, Mar. 5, 2024, 05-Mar-2024", "date 2024-03-05 = 2024-03-05 ; date 5 March 2024 = 2024-03-05 ; date March 5th, 2024 = 2024-03-05 ; date 5th of March 2024 = 2024-03-05 ; date Mar. 5, 2024 = 2024-03-05 ; date 05-Mar-2024 = 2024-03-05"},
	{"en", "05/03/2024", "date 05/03/2024 = 2024-03-05|2024-05-03"}, {"en-US", "05/03/2024", "date 05/03/2024 = 2024-05-03"}, {"en-GB", "05/03/2024", "date 05/03/2024 = 2024-03-05"},
	{"en", "25/03/2024 and 03/25/2024 and 05/05/2024", "date 25/03/2024 = 2024-03-25 ; date 03/25/2024 = 2024-03-25 ; date 05/05/2024 = 2024-05-05"},
	{"de", "05.03.2024, 5. März 2024, am 5. 3. 2024, 5.3.24", "date 05.03.2024 = 2024-03-05 ; date 5. März 2024 = 2024-03-05 ; date 5. 3. 2024 = 2024-03-05"},
	{"es", "5 de marzo de 2024, marzo de 2024", "date 5 de marzo de 2024 = 2024-03-05 ; date marzo de 2024 = 2024-03"},
	{"fr", "1er janvier 2024, le 14 juillet", "date 1er janvier 2024 = 2024-01-01 ; date 14 juillet = --07-14"},
	{"ru", "5 марта 2024 года, в 1941 г.", "date 5 марта 2024 = 2024-03-05 ; date 1941 = 1941"},
	{"zh", "2024年3月5日，2023年", "date 2024年3月5日 = 2024-03-05 ; date 2023年 = 2023"}, {"ko", "2024년 3월 5일", "date 2024년 3월 5일 = 2024-03-05"},
	{"en", "March 2024, in 2015, since 1999, 1990s, 2010–2015, 44 BC, (2019), May 5", "date March 2024 = 2024-03 ; date 2015 = 2015 ; date 1999 = 1999 ; date 1990s = 1990/1999 ; date 2010–2015 = 2010/2015 ; date 44 BC = -0043 ; date 2019 = 2019 ; date May 5 = --05-05"},
	{"en", "you may 5 times, in 2000 meters, 31 February 2024", "number 5 = 5 ; quantity 2000 meters = 2000 m ; number 31 = 31 ; date February 2024 = 2024-02"},
	{"en", "5–7 March 2024, March 5-7, 2024", "date 5–7 March 2024 = 2024-03-05/2024-03-07 ; date March 5-7, 2024 = 2024-03-05/2024-03-07"},
	{"en", "2024-03-05T10:20:30Z 2024-03-05 10:20 2024-03-05T10:20:30+02:00", "date 2024-03-05T10:20:30Z = 2024-03-05T10:20:30Z ; date 2024-03-05 10:20 = 2024-03-05T10:20:00 ; date 2024-03-05T10:20:30+02:00 = 2024-03-05T08:20:30Z"},

	// times of day
	{"en", "7pm, 7 p.m., 7:30 PM, 19:00, 07:30, 7:30, noon, 12 am, 9:15 am EST", "time 7pm = 19:00 ; time 7 p.m. = 19:00 ; time 7:30 PM = 19:30 ; time 19:00 = 19:00 ; time 07:30 = 07:30 ; time 7:30 = 07:30|19:30 ; time noon = 12:00 ; time 12 am = 00:00 ; time 9:15 am EST = 09:15 EST"},
	{"de", "19 Uhr, 19:30 Uhr, 19.30 Uhr", "time 19 Uhr = 19:00 ; time 19:30 Uhr = 19:30 ; time 19.30 Uhr = 19:30"},
	{"fr", "à 19h30", "time 19h30 = 19:30"}, {"sv", "kl. 19.30", "time kl. 19.30 = 19:30"}, {"ja", "午後7時30分", "time 午後7時30分 = 19:30"},

	// durations
	{"en", "1 hr 20 min, PT1H20M, 1h20m, 80 minutes, an hour, two days, 3 years, 18 months, 2h30", "duration 1 hr 20 min = PT1H20M ; duration PT1H20M = PT1H20M ; duration 1h20m = PT1H20M ; duration 80 minutes = PT1H20M ; duration two days = PT48H ; duration 3 years = P36M ; duration 18 months = P18M ; duration 2h30 = PT2H30M"},
	{"en", "1 hour and 20 minutes, 2 years and 3 months, 90 s, 5-day", "duration 1 hour and 20 minutes = PT1H20M ; duration 2 years and 3 months = P27M ; duration 90 s = PT1M30S ; duration 5-day = PT120H"},
	{"en", "an hour and a half; half an hour; a quarter of an hour; three quarters of an hour; a half-hour; an hour and 20 minutes; a year and a half; an hour and a quarter",
		"duration an hour and a half = PT1H30M ; duration half an hour = PT30M ; duration a quarter of an hour = PT15M ; duration three quarters of an hour = PT45M ; duration a half-hour = PT30M ; duration an hour and 20 minutes = PT1H20M ; duration a year and a half = P18M ; duration an hour and a quarter = PT1H15M"},
	{"en", "twice an hour and a day, a minute and then two, 80 km an hour and more, quarters of the town", "number two = 2 ; quantity 80 km = 80000 m"},
	{"en", "half a kilo, a mile and a half, half an inch, half a page, half of a litre", "quantity half a kilo = 0.5 kg ; quantity a mile and a half = 2414.02 m ; quantity half an inch = 0.0127 m ; quantity half of a litre = 0.5 L"},
	{"en", "between ten and twenty minutes, ten to twelve kg, between two and three weeks, ten to twelve people, two or three days, between 10 and 20 minutes",
		"duration ten = PT10M ; duration twenty minutes = PT20M ; quantity ten = 10 kg ; quantity twelve kg = 12 kg ; duration two = PT336H ; duration three weeks = PT504H ; number ten = 10 ; number twelve = 12 ; number two = 2 ; duration three days = PT72H ; duration 10 = PT10M ; duration 20 minutes = PT20M"},
	{"en", "a dozen eggs, two dozen, half a dozen, 2½ hours, 1 1/2 cups, 3 × 10 9 people, 6.02 · 10 23, 2 × 10 × 4 cm, 3 x 10 9, 3 × 10, 9",
		"number a dozen = 12 ; number two dozen = 24 ; number half a dozen = 6 ; duration 2½ hours = PT2H30M ; quantity 1 1/2 cups = 0.354882 L ; number 3 × 10 9 = 3000000000 ; number 6.02 · 10 23 = 6.02e+23 ; quantity 2 = 0.02 m ; quantity 10 = 0.1 m ; quantity 4 cm = 0.04 m ; number 3 = 3 ; number 10 = 10 ; number 9 = 9 ; number 3 = 3 ; number 10 = 10 ; number 9 = 9"},
	{"de", "2 Stunden, 3 Jahre", "duration 2 Stunden = PT2H ; duration 3 Jahre = P36M"}, {"ja", "3時間", "duration 3時間 = PT3H"},

	// contacts
	{"en", "Call +1 555-123-4567 or (555) 123-4567 or 555-123-4567 ext. 12.", "phone +1 555-123-4567 = +15551234567 ; phone (555) 123-4567 = 5551234567 ; phone 555-123-4567 ext. 12 = 5551234567;ext=12"},
	{"en", "+44 (0)20 7946 0958, 020 7946 0958, Tel: 12 34 56", "phone +44 (0)20 7946 0958 = +442079460958 ; phone 020 7946 0958 = 02079460958 ; phone 12 34 56 = 123456"},
	{"fr", "01 23 45 67 89", "phone 01 23 45 67 89 = 0123456789"}, {"ru", "8 (495) 123-45-67", "phone 8 (495) 123-45-67 = +74951234567"}, {"de", "030/1234567", "phone 030/1234567 = 0301234567"},
	{"en", "+2147483647 at most, 212-155-0123, 212-555-0123", "number +2147483647 = 2147483647 ; phone 212-555-0123 = 2125550123"},
	{"", "from: '+15017122661', to=+15558675310", "phone +15017122661 = +15017122661 ; phone +15558675310 = +15558675310"},
	{"en", "ISBN 0-306-40615-2, part 555-1234-99, 1-2-3", ""},
	{"en", "Write to John.Doe+x@Example.com, or see https://example.com/a(b)?utm_source=1#c.", "email John.Doe+x@Example.com = john.doe+x@example.com ; url https://example.com/a(b)?utm_source=1#c = https://example.com/a(b)"},
	{"en", "(www.example.com) and a@b, john at example dot com, http://", "url www.example.com = http://www.example.com/"},
	{"zh", "请访问https://example.com/页面。", "url https://example.com/ = https://example.com/"},
}

func TestFind(t *testing.T) {
	for _, c := range findCases {
		if got := showValues(Find(c.in, c.lang)); got != c.want {
			t.Errorf("%s %q\n got %s\nwant %s", c.lang, c.in, got, c.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"5 ft 2 in, $1,2.3 M, 5.3.2024 T 1:2:3", "1-2-3/4(5)+6", "PT1H.5M", "a@b.co https://x.y/z", "½½ 1/2/3 10^9999 1e999", "三百二十 第五 5時半", "+1 (0) 2",
		"٣٫٥ १२", "5'10\" 5\"\"", "twenty and and five and a half", "quatre-vingt-vingt", "zweihundertmillionenhundert", "5 kg/s/s per per", "1 x 2 x 3 x 4 x 5 kg", "in 2015 AD BC 1990's"} {
		f.Add(s, "en")
		f.Add(s, "de")
		f.Add(s, "fr")
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, s, lang string) {
		end := 0
		vals := Find(s, lang)
		for _, v := range vals {
			if v.Start < end || v.End <= v.Start || v.End > len(s) || s[v.Start:v.End] != v.Text {
				t.Fatalf("Find(%q, %q): %+v is not its place in the text, behind byte %d",
					s, lang, v, end)
			}
			if fault := faultOf(v, s); fault != "" {
				t.Fatalf("Find(%q, %q): %+v %s", s, lang, v, fault)
			}
			end = v.End
		}
		for k := 1; k < len(vals) && k < 5; k++ {
			s1, c1 := Same(vals[k-1], vals[k])
			s2, c2 := Same(vals[k], vals[k-1])
			if s1 != s2 || c1 != c2 || s1 && !c1 {
				t.Fatalf("Same(%+v, %+v) = %v %v, and %v %v the other way round",
					vals[k-1], vals[k], s1, c1, s2, c2)
			}
		}
	})
}

// faultOf says what is wrong with a value of s, "" for nothing.
func faultOf(v Value, s string) string {
	switch {
	case utf8.ValidString(s) && !utf8.ValidString(v.Text):
		return "is not on code points"
	case strings.Contains(v.Text, "\n"):
		return "runs over a line break"
	case v.Norm == "" || v.Type == "":
		return "has no type or no canonical form"
	case v.Number != nil && (math.IsNaN(*v.Number) || math.IsInf(*v.Number, 0)):
		return fmt.Sprint("has number ", *v.Number)
	}
	if same, ok := Same(v, v); ok && !same {
		return "differs from itself"
	}
	return ""
}

func BenchmarkFind(b *testing.B) {
	for name, s := range map[string]string{
		"prose":   strings.Repeat("The log is merged into the database file when a checkpoint runs, by default at 1000 pages. ", 500),
		"numbers": strings.Repeat("In 2024 the car weighed 3,245 lbs (1472 kg), cost $25,000 and did 0-60 mph in 5.4 s. ", 500),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Find(s, "en")
			}
		})
	}
}
