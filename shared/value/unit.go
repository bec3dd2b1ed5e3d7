package value

import (
	"strings"
	"sync"
	"unicode"
	"wstk/shared/text"
)

// unit is a unit of measure. A value x of it is factor*x + offset in the base
// unit, or factor/x where inverse (miles per gallon against litres per 100 km).
type unit struct {
	base    string
	factor  float64
	offset  float64
	inverse bool
	months  bool // counts in calendar months, not in seconds
}

func (u unit) toBase(x float64) (float64, bool) {
	if u.inverse {
		if x == 0 {
			return 0, false
		}
		return u.factor / x, true
	}
	return u.factor*x + u.offset, true
}

// unitTable holds the units by their spelling, lexed (see unitKey): symbols as
// they are written, names in lower case.
type unitTable struct {
	symbols, names map[string]unit
	first          map[string]bool // lexemes that a unit begins with
	longest        int             // lexemes
}

// unitSpec is a line of the table: names get an English plural.
type unitSpec struct {
	base    string
	factor  float64
	symbols string // separated by |, letter case counts
	names   string // separated by |
}

const (
	pound  = 0.45359237
	inch   = 0.0254
	foot   = 0.3048
	mile   = 1609.344
	gallon = 3.785411784 // US, in litres
	impGal = 4.54609
	hpMech = 745.69987158227022
	hpMetr = 735.49875
	minute = 60.0
	hour   = 3600.0
	day    = 86400.0
	calory = 4.184
	btu    = 1055.05585262
	month  = 30.436875 * day // mean Gregorian
)

// The base unit of each quantity is what readers expect of SI: kg, m, m², L,
// m/s, W, N·m, J, Pa, °C, s, B (bytes), bit/s, Hz, %. Fuel consumption is L/100km,
// electric consumption kWh/100km. hp is the mechanical horsepower, PS, cv and ch
// the metric one. Gallons, pints and tons are those of the US; en-GB has its own.
var unitSpecs = []unitSpec{
	// mass
	{"kg", 1e-3, "g", "gram|gramme|gramo|gramos|gramm|grammo|grammi|grama|gramas|грамм|грамма|граммов|克|公克|グラム|그램"},
	{"kg", 1, "kg|㎏", "kilo|kilogram|kilogramme|kilogramo|kilogramos|kilogramm|chilogrammo|chilogrammi|quilo|quilos|quilograma|quilogramas|кг|килограмм|килограмма|килограммов|公斤|千克|キロ|キログラム|킬로그램|kgs"},
	{"kg", 1e-6, "mg|㎎", "milligram|milligramme|milligramm|miligramo|miligramos|miligrama|miligramas|мг|毫克"},
	{"kg", 1e-9, "µg|μg|mcg", "microgram|microgramme|mikrogramm|microgramo|microgramos|мкг"},
	{"kg", 1e-12, "ng", "nanogram"},
	{"kg", 1000, "t", "tonne|metric ton|tonelada|toneladas|tonelada métrica|toneladas métricas|tonne métrique|tonnes métriques|tonnellata|tonnellate metriche|metrische ton|tonnellate|т|тонна|тонны|тонн|吨|噸|公吨|トン|톤|mt"},
	{"kg", 1e6, "kt", "kilotonne|kiloton"},
	{"kg", 1e9, "Mt", "megatonne|megaton"},
	{"kg", 2000 * pound, "", "ton|short ton|us ton"},
	{"kg", 2240 * pound, "", "long ton|imperial ton"},
	{"kg", pound, "lb|lbs|lbm", "pound|livre|libra|libras|pfund|libbra|libbre|фунт|фунта|фунтов|磅|ポンド|파운드|pound-mass"},
	{"kg", pound / 16, "oz", "ounce|once|onza|onzas|unze|unzen|oncia|once|onça|onças|унция|унции|унций|盎司|オンス|온스"},
	{"kg", 14 * pound, "", "stone"},
	{"kg", 0.0002, "ct", "carat|karat|quilate|quilates"},
	{"kg", pound / 7000, "", "grain"},
	{"kg", 1.0 / 64 * pound / 4, "", "dram"},
	{"kg", 0.5, "", "斤"},

	// length
	{"m", 1, "m", "metre|meter|metro|metros|mètre|metri|metern|метр|метра|метров|м|米|公尺|メートル|미터"},
	{"m", 1e3, "km|㎞", "kilometre|kilometer|kilómetro|kilómetros|kilometro|kilometros|kilomètre|chilometro|chilometri|quilómetro|quilómetros|quilômetro|quilômetros|kilometern|километр|километра|километров|км|公里|千米|キロメートル|킬로미터|klick"},
	{"m", 0.1, "dm", "decimetre|decimeter"},
	{"m", 1e-2, "cm|㎝", "centimetre|centimeter|zentimeter|centímetro|centímetros|centimètre|centimetro|centimetri|см|сантиметр|сантиметра|сантиметров|厘米|公分|センチ|センチメートル|센티미터"},
	{"m", 1e-3, "mm|㎜", "millimetre|millimeter|milímetro|milímetros|millimètre|millimetro|millimetri|мм|миллиметр|миллиметра|миллиметров|毫米|ミリ|ミリメートル|밀리미터"},
	{"m", 1e-6, "µm|μm", "micrometre|micrometer|micron|mikrometer|мкм|微米"},
	{"m", 1e-9, "nm", "nanometre|nanometer|nanómetro|nanómetros|нм|纳米|奈米"},
	{"m", 1e-12, "pm", "picometre|picometer"},
	{"m", 1e-15, "fm", "femtometre|femtometer"},
	{"m", 1e-18, "", "attometre|attometer"},
	{"m", inch, "in|″", "inch|inches|pulgada|pulgadas|pouce|zoll|pollice|pollici|polegada|polegadas|дюйм|дюйма|дюймов|英寸|吋|インチ|인치|tum"},
	{"m", foot, "ft|′", "foot|feet|pie|pies|pied|piede|piedi|pé|pés|фут|фута|футов|英尺|呎|フィート|피트"},
	{"m", 3 * foot, "yd|yds", "yard|yarda|yardas|ярд|ярда|ярдов|码"},
	{"m", mile, "mi", "mile|milla|millas|mille|meile|meilen|miglio|miglia|milha|milhas|миля|мили|миль|英里|マイル|마일|statute mile"},
	{"m", 1852, "nmi|NM", "nautical mile|seemeile|seemeilen|mille marin|milles marins|milla náutica|millas náuticas|морская миля|морских миль|海里"},
	{"m", 201.168, "", "furlong"},
	{"m", 1.8288, "", "fathom"},
	{"m", 149597870700, "au|AU", "astronomical unit"},
	{"m", 9460730472580800, "ly", "light year|light-year|année-lumière|années-lumière|lichtjahr|lichtjahre|año luz|años luz|光年"},
	{"m", 3.0856775814913673e16, "pc", "parsec"},

	// area
	{"m²", 1, "m²|m2|sqm|㎡|m^2", "m squared|square metre|square meter|sq metre|sq meter|sq m|metro cuadrado|metros cuadrados|mètre carré|mètres carrés|quadratmeter|metro quadrato|metri quadrati|metro quadrado|metros quadrados|vierkante meter|kvadratmeter|metrekare|metre kare|квадратный метр|квадратных метров|кв м|м²|平方米|平方メートル|제곱미터"},
	{"m²", 1e6, "km²|km2|sqkm|㎢|km^2", "km squared|square kilometre|square kilometer|sq km|kilómetro cuadrado|kilómetros cuadrados|kilomètre carré|kilomètres carrés|quadratkilometer|chilometro quadrato|chilometri quadrati|quilômetros quadrados|quilómetros quadrados|vierkante kilometer|kvadratkilometer|kilometrekare|kilometre kare|квадратных километров|кв км|км²|平方公里|平方キロメートル|제곱킬로미터"},
	{"m²", 1e-4, "cm²|cm2|cm^2", "square centimetre|square centimeter|sq cm|quadratzentimeter"},
	{"m²", 1e-6, "mm²|mm2|mm^2", "square millimetre|square millimeter|sq mm|quadratmillimeter"},
	{"m²", foot * foot, "ft²|ft2|sqft|sf|ft^2", "square foot|square feet|sq ft|pied carré|pieds carrés|quadratfuß|pés quadrados|piedi quadrati|pie cuadrado|pies cuadrados"},
	{"m²", inch * inch, "in²|in2|sqin", "square inch|square inches|sq in"},
	{"m²", 9 * foot * foot, "yd²", "square yard|sq yd"},
	{"m²", mile * mile, "mi²|mi2", "square mile|sq mi|milla cuadrada|millas cuadradas"},
	{"m²", 1e4, "ha", "hectare|hectárea|hectáreas|hektar|ettaro|ettari|га|гектар|гектара|гектаров|公顷|ヘクタール"},
	{"m²", 4046.8564224, "ac", "acre|акр|акра|акров|英亩"},
	{"m²", 2000.0 / 3, "", "亩"},

	// volume
	{"L", 1, "L|l|ℓ", "litre|liter|litro|litros|litri|литр|литра|литров|л|升|公升|リットル|리터|ltr|ltrs"},
	{"L", 1e-3, "mL|ml|㎖", "millilitre|milliliter|mililitro|mililitros|millilitro|millilitri|мл|миллилитр|毫升|ミリリットル|밀리리터"},
	{"L", 1e-2, "cL|cl", "centilitre|centiliter|centilitro|centilitros"},
	{"L", 0.1, "dL|dl", "decilitre|deciliter|deciliter"},
	{"L", 100, "hL|hl", "hectolitre|hectoliter|hektoliter"},
	{"L", 1e-6, "µL|μL|µl|μl", "microlitre|microliter"},
	{"L", 1e-3, "cc|cm³|cm3|ccm|cm^3", "cubic centimetre|cubic centimeter|kubikzentimeter|centímetro cúbico|centímetros cúbicos|centimetri cubici|cu cm|см³|куб см|立方厘米"},
	{"L", 1e-6, "mm³|mm3|mm^3", "cubic millimetre|cubic millimeter"},
	{"L", 1, "dm³|dm3", "cubic decimetre|cubic decimeter"},
	{"L", 1e3, "m³|m3|cbm|m^3", "m cubed|cubic metre|cubic meter|kubikmeter|metro cúbico|metros cúbicos|mètre cube|mètres cubes|metri cubi|metro cubo|metreküp|metre küp|кубометр|кубометров|м³|куб м|立方米|立方メートル"},
	{"L", 1e12, "km³|km3|km^3", "cubic kilometre|cubic kilometer|kubikkilometer|km cubed"},
	{"L", 0.016387064, "cid|in³|CID", "cubic inch|cubic inches|cu in|cui"},
	{"L", 28.316846592, "ft³|cuft", "cubic foot|cubic feet|cu ft|pie cúbico|pies cúbicos|pied cube|pieds cubes|kubikfuß|pés cúbicos|piedi cubi"},
	{"L", 764.554857984, "yd³", "cubic yard|cu yd"},
	{"L", gallon, "gal", "gallon|us gallon|galón|galones|gallone|gallonen|galon|галлон|галлона|галлонов|加仑|ガロン|갤런"},
	{"L", impGal, "", "imperial gallon|imp gal|uk gallon"},
	{"L", gallon / 4, "qt", "quart"},
	{"L", gallon / 8, "", "pint"},
	{"L", gallon / 128, "", "fluid ounce|fl oz|floz|us fl oz"},
	{"L", gallon / 16, "", "cup"},
	{"L", gallon / 256, "tbsp|Tbsp", "tablespoon|tbs"},
	{"L", gallon / 768, "tsp", "teaspoon"},
	{"L", 158.987294928, "bbl", "barrel|varil|barril|barriles|баррель|баррелей|桶"},

	// speed
	{"m/s", 1, "m/s|mps", "metre per second|metres per second|meter per second|meters per second|metros por segundo|m / sec|м/с"},
	{"m/s", 1000, "km/s", "kilometre per second|kilometres per second|kilometer per second|kilometers per second|км/с"},
	{"m/s", 1 / 3.6, "km/h|kph|kmh|kmph|km/hr|Km/h|KM/H", "kilometre per hour|kilometres per hour|kilometer per hour|kilometers per hour|kilómetros por hora|km por hora|kilomètres par heure|km heure|kilometer pro stunde|stundenkilometer|chilometri orari|quilômetros por hora|quilómetros por hora|км/ч|километров в час|公里每小时|千米每小时|公里/小时"},
	{"m/s", mile / hour, "mph|mi/h|MPH", "mile per hour|miles per hour|miles an hour|miles/hour|millas por hora|миль в час"},
	{"m/s", foot, "ft/s", "foot per second|feet per second"},
	{"fps", 1, "fps|FPS", "frames per second|frame per second|images par seconde|bilder pro sekunde"},
	{"m/s", 1852 / hour, "kn|kt|kts", "knot|nudo|nudos|nœud|nœuds|knoten|узел|узлов|节"},

	// acceleration
	{"m/s²", 1, "m/s²|m/s2|m/s^2", "metre per second squared|meters per second squared"},
	{"m/s²", 1e3, "km/s²|km/s2|km/s^2", "kilometre per square second|kilometres per second squared"},

	// power
	{"W", 1, "W", "watt|vatio|vatios|вт|ватт|瓦|ワット|와트"},
	{"W", 1e-3, "mW", "milliwatt"},
	{"W", 1e3, "kW|Kw|KW", "kilowatt|kilovatio|kilovatios|квт|киловатт|千瓦|キロワット|킬로와트"},
	{"W", 1e6, "MW", "megawatt|megavatio|megavatios|мвт|мегаватт|兆瓦|メガワット"},
	{"W", 1e9, "GW", "gigawatt|gigavatio|gigavatios|гвт|гигаватт|吉瓦"},
	{"W", 1e12, "TW", "terawatt"},
	{"W", hpMech, "hp|HP|bhp|BHP|Hp|whp|shp", "horsepower|brake horsepower|horse power"},
	{"W", hpMetr, "PS|CV|cv|ch|KM", "pferdestärke|pferdestärken|metric horsepower|л с|лошадиных сил|лошадиная сила|caballos|caballos de fuerza|chevaux|cavalli|马力|馬力|마력"},
	{"W", btu / hour, "BTU/h|Btu/h|BTU/hr", "btu per hour"},

	// torque
	{"N·m", 1, "Nm|N·m|N⋅m|N-m|N m|N.m|NM-torque", "newton metre|newton meter|newton-metre|newton-meter|newtonmeter|newton metro|н·м|нм-момент"},
	{"N·m", pound * 9.80665 * foot, "lb-ft|lb·ft|lbft|lb.-ft.|ft-lb|ft·lb|ft-lbs|lbs-ft|lbs.-ft.|lb ft|ft lb|ft lbs|lbf·ft|lbf-ft|ft-lbf|ft lbf", "pound foot|pound-foot|pound feet|pound-feet|foot pound|foot-pound|foot-pounds"},
	{"N·m", pound * 9.80665 * inch, "in-lb|in-lbs|lb-in|in lb|in lbs", "inch pound|inch-pound|inch-pounds"},
	{"N·m", 9.80665, "kgm|kgf·m|kg·m|kg-m", "kilogram-force metre"},

	// force
	{"N", 1, "N", "newton"},
	{"N", 1e3, "kN", "kilonewton"},
	{"N", 1e6, "MN", "meganewton"},
	{"N", pound * 9.80665, "lbf", "pound-force|pounds of force|pounds-force"},
	{"N", 9.80665, "kgf", "kilogram-force"},

	// energy
	{"J", 1, "J", "joule|julio|julios|джоуль|джоулей|焦耳"},
	{"J", 1e3, "kJ", "kilojoule|кдж"},
	{"J", 1e6, "MJ", "megajoule"},
	{"J", 1e9, "GJ", "gigajoule"},
	{"J", hour, "Wh", "watt hour|watt-hour"},
	{"J", 1e3 * hour, "kWh|KWh|kwh|kWhr", "kilowatt hour|kilowatt-hour|kilowattstunde|kilowattstunden|kilovatios hora|квт·ч|киловатт-час|千瓦时|度电"},
	{"J", 1e6 * hour, "MWh", "megawatt hour|megawatt-hour"},
	{"J", 1e9 * hour, "GWh", "gigawatt hour|gigawatt-hour"},
	{"J", 1e12 * hour, "TWh", "terawatt hour|terawatt-hour"},
	{"J", calory, "cal", "calorie"},
	{"J", 1e3 * calory, "kcal|Cal", "kilocalorie|kilocaloría|kilocalorías|kilokalorie|kilokalorien|ккал|千卡|大卡|カロリー|キロカロリー"},
	{"J", btu, "BTU|Btu|BTUs", "british thermal unit"},
	{"J", 1.602176634e-19, "eV", "electronvolt|electron volt"},
	{"J", 1.602176634e-16, "keV", "kiloelectronvolt"},
	{"J", 1.602176634e-13, "MeV", "megaelectronvolt"},
	{"J", 1.602176634e-10, "GeV", "gigaelectronvolt"},
	{"J", 1.602176634e-7, "TeV", "teraelectronvolt"},

	// pressure
	{"Pa", 1, "Pa", "pascal"},
	{"Pa", 100, "hPa", "hectopascal|hektopascal|гпа|百帕"},
	{"Pa", 1e3, "kPa", "kilopascal|кпа|千帕"},
	{"Pa", 1e6, "MPa", "megapascal|мпа|兆帕"},
	{"Pa", 1e9, "GPa", "gigapascal"},
	{"Pa", 1e5, "bar", "bars|бар|巴"},
	{"Pa", 100, "mbar|mb", "millibar"},
	{"Pa", 6894.757293168, "psi|PSI|psig", "pounds per square inch|pound per square inch"},
	{"Pa", 101325, "atm", "atmosphere|атм|атмосфер"},
	{"Pa", 133.322387415, "mmHg|Torr|torr", "millimetres of mercury|millimeters of mercury|мм рт ст"},
	{"Pa", 3386.389, "inHg", "inches of mercury"},

	// frequency, rotation
	{"Hz", 1, "Hz", "hertz|гц|赫兹"},
	{"Hz", 1e3, "kHz|KHz", "kilohertz|кгц|千赫"},
	{"Hz", 1e6, "MHz|Mhz", "megahertz|мгц|兆赫"},
	{"Hz", 1e9, "GHz|Ghz", "gigahertz|ггц|吉赫"},
	{"Hz", 1e12, "THz", "terahertz"},
	{"rpm", 1, "rpm|RPM|r/min|min⁻¹|1/min|U/min", "revolutions per minute|revolution per minute|об/мин|tr/min|转/分"},
	{"rpm", 1, "", "beats per minute|bpm"},

	// electricity
	{"V", 1, "V", "volt|voltio|voltios|вольт|伏|伏特|ボルト"},
	{"V", 1e-3, "mV", "millivolt"},
	{"V", 1e3, "kV", "kilovolt"},
	{"A", 1, "A", "amp|ampere|ampère|amperio|amperios|ампер|安培"},
	{"A", 1e-3, "mA", "milliamp|milliampere"},
	{"A·h", 1, "Ah", "amp hour|amp-hour|ampere hour|ampere-hour"},
	{"A·h", 1e-3, "mAh", "milliamp hour|milliampere hour|milliamp-hour|мач|毫安时|毫安"},
	{"Ω", 1, "Ω|Ω", "ohm"},
	{"Ω", 1e3, "kΩ|kΩ", "kiloohm|kilohm"},
	{"Ω", 1e6, "MΩ|MΩ", "megaohm|megohm"},
	{"F", 1e-6, "µF|μF", "microfarad"},
	{"F", 1e-12, "pF", "picofarad"},

	// light, sound, radiation, matter
	{"lm", 1, "lm", "lumen|lúmenes"},
	{"lx", 1, "lx", "lux"},
	{"cd", 1, "cd", "candela"},
	{"cd/m²", 1, "cd/m²|cd/m2", "nit|candela per square metre"},
	{"dB", 1, "dB|dBA|dB(A)|db", "decibel|dezibel|дб|分贝"},
	{"mol", 1, "mol", "mole"},
	{"Sv", 1, "Sv", "sievert"},
	{"Sv", 1e-3, "mSv", "millisievert"},
	{"Gy", 1, "Gy", "gray"},
	{"Gy", 1e-3, "mGy", "milligray"},

	// angle
	{"°", 1, "°", "degree|deg|grado|grados|degré|grad|gradi|grau|graus|graden|grader|градус|градуса|градусов|derece|度|도"},
	{"°", 180 / 3.141592653589793, "rad", "radian"},
	{"°", 360, "", "turn"},
	{"°", 1.0 / 60, "", "arcminute|arcmin|minutes of arc"},
	{"°", 1.0 / 3600, "", "arcsecond|arcsec|seconds of arc"},

	// data; k, M and G are decimal, Ki, Mi and Gi binary
	{"B", 0.125, "bit", "bits|бит|比特"},
	{"B", 125, "kbit|Kbit|kb", "kilobit|килобит"},
	{"B", 125e3, "Mbit|Mb", "megabit|мбит|мегабит"},
	{"B", 125e6, "Gbit|Gb", "gigabit|гбит|гигабит"},
	{"B", 1, "B", "byte|octet|octets|байт|字节|バイト|바이트"},
	{"B", 1e3, "kB|KB|Ko|ko", "kilobyte|kilooctet|кб|килобайт|千字节"},
	{"B", 1e6, "MB|Mo", "megabyte|mégaoctet|мб|мегабайт|兆字节|mbyte"},
	{"B", 1e9, "GB|Go", "gigabyte|gigaoctet|гб|гигабайт|gbyte"},
	{"B", 1e12, "TB|To", "terabyte|téraoctet|тб|терабайт"},
	{"B", 1e15, "PB", "petabyte"},
	{"B", 1e18, "EB", "exabyte"},
	{"B", 1e21, "ZB", "zettabyte"},
	{"B", 1 << 10, "KiB", "kibibyte"},
	{"B", 1 << 20, "MiB", "mebibyte"},
	{"B", 1 << 30, "GiB", "gibibyte"},
	{"B", 1 << 40, "TiB", "tebibyte"},
	{"bit/s", 1, "bps|bit/s|b/s", "bits per second"},
	{"bit/s", 1e3, "kbps|Kbps|kbit/s|kb/s", "kilobits per second"},
	{"bit/s", 1e6, "Mbps|Mbit/s|Mb/s|mbps", "megabits per second|мбит/с"},
	{"bit/s", 1e9, "Gbps|Gbit/s|Gb/s|gbps", "gigabits per second|гбит/с"},
	{"bit/s", 8, "B/s", "bytes per second"},
	{"bit/s", 8e3, "kB/s|KB/s", "kilobytes per second"},
	{"bit/s", 8e6, "MB/s|MBps", "megabytes per second|мб/с"},
	{"bit/s", 8e9, "GB/s", "gigabytes per second"},
	{"px", 1, "px", "pixel|píxeles|пикселей|像素"},
	{"px", 1e6, "MP|Mpx", "megapixel|megapíxeles|мегапикселей|万像素-"},
	{"dpi", 1, "dpi|ppi|DPI|PPI", "dots per inch|pixels per inch"},

	// share
	{"%", 1, "%|％|٪", "percent|per cent|percentage|percento|pourcent|pour-cent|por ciento|porciento|pour cent|prozent|per cento|procent|por cento|prosent|prosenttia|процент|процента|процентов|percents|pct|パーセント|퍼센트|yüzde"},
	{"%", 0.1, "‰", "per mille|promille"},
	{"%", 10, "", "成|割"},
	{"%", 100.0 / 1e6, "ppm", "parts per million"},
	{"%", 100.0 / 1e9, "ppb", "parts per billion"},
	{"pp", 1, "pp", "个百分点|個百分點|個百分点|ポイント|percentage point|procentpoint|prozentpunkte|puntos porcentuales|процентных пунктов"},

	// consumption; see also inverseUnits
	{"L/100km", 1, "L/100km|l/100km|L/100 km|l/100 km|L / 100 km|l / 100 km", "litres per 100 km|liters per 100 km|litres per 100 kilometres|liter auf 100 km|liter pro 100 km|л/100 км|л/100км|litros a los 100 km|litres aux 100 km"},
	{"kWh/100km", 1, "kWh/100km|kWh/100 km", "kilowatt hours per 100 km|kwh per 100 km"},
	{"kWh/100km", 0.1, "Wh/km", ""},
	{"kWh/100km", 0.1 / 1.609344, "Wh/mi", ""},
	{"g/km", 1, "g/km", "grams per kilometre|grams per kilometer|г/км"},
	{"kg/m³", 1, "kg/m³|kg/m3", "kilograms per cubic metre|kilogram per cubic meter"},
	{"kg/m³", 1e3, "g/cm³|g/cm3|g/cc|g/mL|g/ml", "grams per cubic centimetre|grams per cubic centimeter"},

	// time; see durations for months and years
	{"s", 1, "s", "second|sec|secs|segundo|segundos|seconde|sekunde|sekunden|sek|secondo|secondi|segundos|seconden|sekund|sekunder|секунда|секунды|секунд|сек|saniye|秒|秒钟|秒間|초"},
	{"s", 1e-3, "ms", "millisecond|msec|milisegundo|milisegundos|milliseconde|millisekunde|millisekunden|мс|毫秒|ミリ秒"},
	{"s", 1e-6, "µs|μs|us", "microsecond|mikrosekunde|mikrosekunden|微秒"},
	{"s", 1e-9, "ns", "nanosecond|nanosekunde|nanosekunden|纳秒"},
	{"s", minute, "min", "minute|minuto|minutos|minuti|minuten|minut|minuter|minutter|минута|минуты|минут|мин|dakika|mins|分钟|分鐘|分間|분"},
	{"s", hour, "h", "hour|hr|hrs|hora|horas|heure|stunde|stunden|std|ora|ore|uur|uren|timme|timmar|time-|timer-|час|часа|часов|saat|小时|小時|個小時|个小时|時間|시간"},
	{"s", day, "d", "day|día|días|dia|dias|jour|tag|tage|tagen|giorno|giorni|dag|dagen|dagar|dage|dager|день|дня|дней|сутки|суток|gün|天|日間|일간"},
	{"s", 7 * day, "wk", "week|wks|semana|semanas|semaine|woche|wochen|settimana|settimane|weken|vecka|veckor|uke|uker|uge|uger|неделя|недели|недель|hafta|周|週間|星期|주일"},
	{"s", 14 * day, "", "fortnight"},
}

// months are the units of time without a fixed length, in months.
var monthSpecs = []unitSpec{
	{"mo", 1, "mo", "month|mos|mes|meses|mois|monat|monate|monaten|mese|mesi|mês|maand|maanden|månad|månader|måned|måneder|месяц|месяца|месяцев|ay|个月|個月|ヶ月|か月|カ月|개월"},
	{"mo", 3, "", "quarter-year|trimester"},
	{"mo", 12, "yr|y", "year|yrs|año|años|an|ans|année|années|jahr|jahre|jahren|anno|anni|ano|anos|jaar|jaren|år|год|года|лет|yıl|年间|年間|년간"},
	{"mo", 120, "", "decade|década|décadas|jahrzehnt|jahrzehnte|décennie|décennies"},
	{"mo", 1200, "", "century|centuries|siglo|siglos|siècle|siècles|jahrhundert|jahrhunderte"},
	{"mo", 12000, "", "millennium|millennia"},
	{"mo", 12e6, "Ma|Myr", "megayear|million years"},
	{"mo", 12e9, "Ga|Gyr", "gigayear|billion years"},
}

// inverseUnits: factor divided by the value is the base unit.
var inverseUnits = []unitSpec{
	{"L/100km", 100 * gallon / 1.609344, "mpg|MPG|mi/gal", "mile per gallon|miles per gallon|miles/gallon|mpg us|us mpg"},
	{"L/100km", 100 * impGal / 1.609344, "", "imperial mpg|mpg imperial|mpg imp|mpg uk|uk mpg"},
	{"L/100km", 100, "km/L|km/l|kmpl", "kilometres per litre|kilometers per liter|kilometros por litro|kilómetros por litro"},
	{"kWh/100km", 100 / 1.609344, "mi/kWh", "miles per kwh|miles per kilowatt hour"},
	{"kWh/100km", 100, "km/kWh", ""},
}

var temperatures = []struct {
	factor, offset float64
	symbols, names string
}{
	{1, 0, "°C|℃|º C|ºC|° C", "degree celsius|degrees celsius|celsius|celcius|degree centigrade|degrees centigrade|centigrade|deg c|deg celsius|degrees c|grados c|graus c|degrés c|grado celsius|grados celsius|grados centígrados|graus centígrados|degrés celsius|degré celsius|degrés centigrades|grau celsius|grad celsius|gradi celsius|gradi centigradi|graus celsius|graden celsius|grader celsius|градус цельсия|градусов цельсия|градуса цельсия|по цельсию|摄氏度|度摄氏|섭씨|santigrat derece|derece santigrat"},
	{5.0 / 9, -160.0 / 9, "°F|℉|ºF|° F", "degree fahrenheit|degrees fahrenheit|fahrenheit|farenheit|deg f|deg fahrenheit|degrees f|grados f|graus f|degrés f|grado fahrenheit|grau fahrenheit|degré fahrenheit|grados fahrenheit|degrés fahrenheit|grad fahrenheit|gradi fahrenheit|graus fahrenheit|graden fahrenheit|grader fahrenheit|градусов фаренгейта|华氏度|derece fahrenheit|fahrenhayt"},
	{1, -273.15, "K|°K", "kelvin|degrees kelvin"},
}

// imperial replaces US units in British English.
var imperial = []unitSpec{
	{"L", impGal, "gal", "gallon"},
	{"L", impGal / 4, "qt", "quart"},
	{"L", impGal / 8, "pt", "pint"},
	{"L", impGal / 160, "", "fluid ounce|fl oz|floz"},
	{"kg", 2240 * pound, "", "ton"},
}

var (
	unitsUS = sync.OnceValue(func() *unitTable { return buildUnits(false) })
	unitsGB = sync.OnceValue(func() *unitTable { return buildUnits(true) })
)

func buildUnits(british bool) *unitTable {
	t := &unitTable{symbols: map[string]unit{}, names: map[string]unit{}, first: map[string]bool{}}
	add := func(s unitSpec, inverse, months bool) {
		t.add(s.symbols, s.names, unit{base: s.base, factor: s.factor, inverse: inverse, months: months})
	}
	for _, s := range unitSpecs {
		add(s, false, false)
	}
	for _, s := range monthSpecs {
		add(s, false, true)
	}
	for _, s := range inverseUnits {
		add(s, true, false)
	}
	for _, s := range temperatures {
		t.add(s.symbols, s.names, unit{base: "°C", factor: s.factor, offset: s.offset})
	}
	if british {
		for _, s := range imperial {
			add(s, false, false)
		}
		t.add("mpg|MPG", "mile per gallon|miles per gallon", unit{base: "L/100km", factor: 100 * impGal / 1.609344, inverse: true})
	}
	// People write symbols in any case: KG, Mph, gb. Those that mean one thing
	// only are names too.
	for k, u := range t.symbols {
		low := strings.ToLower(k)
		if len(low) < 2 || low == "mm" || low == "nm" || low == "ms" || low == "mw" || low == "mb" || low == "pa" || low == "ma" || low == "mo" || low == "go" || low == "to" || low == "ko" || low == "in" || low == "ch" || low == "km" || low == "ga" || low == "au" || low == "ac" || low == "mn" || low == "ha" || low == "pc" || low == "mp" || low == "kt" || low == "ct" || low == "us" || low == "as" || low == "cal" || low == "min" {
			continue
		}
		if _, taken := t.names[low]; !taken {
			t.names[low] = u
		}
	}
	for _, w := range strings.Fields("km mm min ha kt") { // KM, MM, Min, HA, KT
		t.names[w] = t.symbols[w]
	}
	t.names["mb"] = t.symbols["MB"] // mb of memory, not millibars
	t.symbols["mb"] = t.symbols["MB"]
	for _, m := range []map[string]unit{t.symbols, t.names} {
		for key := range m {
			word, _, _ := strings.Cut(key, " ")
			t.first[word] = true
		}
	}
	return t
}

func (t *unitTable) add(symbols, names string, u unit) {
	put := func(m map[string]unit, spelling string) {
		key, n := unitKey(spelling)
		m[key] = u
		t.longest = max(t.longest, n)
	}
	for _, s := range strings.Split(symbols, "|") {
		if s != "" {
			put(t.symbols, s)
		}
	}
	for _, s := range strings.Split(names, "|") {
		if s == "" || strings.HasSuffix(s, "-") {
			continue
		}
		put(t.names, s)
		if last := lastRune(s); unicode.Is(unicode.Latin, last) && last != 's' {
			put(t.names, s+"s")
		}
		if before, after, ok := strings.Cut(s, " per "); ok && !strings.HasSuffix(before, "s") {
			put(t.names, before+"s per "+after)
		}
	}
}

// unitKey writes a spelling the way matchUnit reads it: lexemes parted by one
// space, without the hyphens, points and dots that join words.
func unitKey(s string) (key string, lexemes int) {
	ls := lex(nil, s, 0, len(s))
	var b strings.Builder
	for i := range ls {
		if i > 0 && isUnitJoint(ls, i) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ls[i].text)
		lexemes = i + 1
	}
	return b.String(), lexemes
}

// isUnitJoint is true of the sign in N·m, lb-ft and sq. ft.
func isUnitJoint(ls []lexeme, i int) bool {
	if ls[i].kind != lexSign || i+1 >= len(ls) || ls[i-1].kind != lexWord || ls[i+1].kind != lexWord || ls[i].gap {
		return false
	}
	switch ls[i].text {
	case "-", "·", "⋅", "•", "*":
		return !ls[i+1].gap
	case ".":
		return true
	}
	return false
}

// unit returns the unit at lexeme i, the longest spelling known, and where it
// ends; 0 for none.
func (v *valuer) unit(i int) (unit, int) {
	if first := v.at(i); !v.units.first[first.text] && !v.units.first[first.lower] {
		return unit{}, 0
	}
	var key, low strings.Builder
	var found unit
	to := 0
	for k := i; k < len(v.lex) && k < i+v.units.longest; k++ {
		if k > i && isUnitJoint(v.lex, k) {
			continue
		}
		if k > i {
			if v.lex[k].kind == lexNumber && v.lex[k].gap && v.lex[k-1].kind == lexWord {
				break // m2 is an area, ft 2 is not
			}
			key.WriteByte(' ')
			low.WriteByte(' ')
		}
		key.WriteString(v.lex[k].text)
		low.WriteString(v.lex[k].lower)
		u, ok := v.units.symbols[key.String()]
		if !ok {
			u, ok = v.units.names[low.String()]
		}
		if ok && !v.hangsOn(k+1) {
			found, to = u, k+1
		}
	}
	if to == 0 {
		return unit{}, 0
	}
	return found, to
}

// unitFollows reports whether a unit stands at lexeme i.
func (v *valuer) unitFollows(i int) bool {
	_, to := v.unit(i)
	return to > 0
}

// quantityUnit returns the unit of the number that ends at lexeme i: with or
// without a white space or hyphen between, if it can be meant as one there.
func (v *valuer) quantityUnit(n number) (unit, int) {
	i := n.to
	if v.at(i).text == "-" && v.glued(i) && v.glued(i+1) && v.at(i+1).kind == lexWord {
		i++ // six-mile
	}
	if l := v.at(i).lower; n.scale > 0 && (l == "de" || l == "d" || l == "di") { // millones de kilómetros
		if i++; v.at(i).text == "'" {
			i++
		}
	}
	if i >= len(v.lex) {
		return unit{}, 0
	}
	u, to := v.unit(i)
	if to == 0 || !v.unitStands(n, i, to) {
		return unit{}, 0
	}
	if u2, to2 := v.perUnit(to); to2 > 0 && !u.inverse && !u2.inverse && u.offset == 0 && u2.offset == 0 {
		// mg/L, litres per minute
		return unit{base: u.base + "/" + u2.base, factor: u.factor / u2.factor}, to2
	}
	return u, to
}

// perUnit reads "/h" or "per day" at lexeme i.
func (v *valuer) perUnit(i int) (unit, int) {
	l := v.at(i)
	switch {
	case l.text == "/" && v.glued(i) && v.glued(i+1):
	case l.gap && (l.lower == "per" || l.lower == "pro" || l.lower == "por" || l.lower == "par"):
	default:
		return unit{}, 0
	}
	u, to := v.unit(i + 1)
	if to == 0 || u.base == "%" {
		return unit{}, 0
	}
	return u, to
}

// unitStands decides about spellings that are also words or letters: "in", "A",
// "C", "m".
func (v *valuer) unitStands(n number, i, to int) bool {
	l, next := v.at(i), v.at(to)
	if v.partOfName(to) && v.at(to+1).kind == lexNumber {
		return false // 24703 L-202
	}
	if to > i+1 {
		return true
	}
	wordFollows := next.gap && next.kind == lexWord
	if n.spelled && l.kind == lexWord && len(l.text) < 3 && text.IsASCII(l.text) && l.text != "kg" && l.text != "km" && l.text != "ft" && l.text != "lb" {
		return false // one m, six in
	}
	switch l.text {
	case `"`, "'":
		return v.s[l.start:l.end] == "″" || v.s[l.start:l.end] == "′"
	case "in":
		if next.kind == lexNumber && next.gap {
			return false // 5 in 10
		}
		return !l.gap || !wordFollows || dimensionWords[next.lower] || v.unitFollows(to) && v.at(i-1).lower == "ft"
	case "A", "C", "F", "K", "B":
		return l.gap && !wordFollows || !l.gap && l.text == "A" && !wordFollows
	case "am", "as", "au", "us", "pm", "pc", "mo", "Mo", "Go", "To", "ha", "an", "ch", "ac", "CV", "cv", "MP", "KM", "ct", "pp", "Ma", "Ga", "ly", "d", "y", "kt", "NM":
		return l.gap && !wordFollows || !l.gap && l.text != "am" && l.text != "pm" || l.text == "cv" || l.text == "CV" || l.text == "ha" && l.gap || v.lang == "fr" && (l.text == "ch" || l.text == "an")
	case "t", "h", "g", "l", "V", "W", "N", "J", "m", "s", "L":
		if l.text == "s" && !l.gap && n.integer { // 1990s, 5s
			return n.value < 60 && int(n.value)%10 != 0 && v.at(n.from-1).kind != lexWord
		}
		return true
	}
	switch l.lower {
	case "second", "seconds", "sec", "secs":
		return true
	case "stone", "turn", "turns", "grain", "grains", "cup", "foot", "mole", "moles", "gray", "nit", "nits", "time", "mark", "yard", "grade", "centuries", "bars":
		return !n.one || l.lower == "foot" || l.lower == "cup" || l.lower == "yard"
	}
	return true
}

var dimensionWords = text.WordSet("long wide tall high deep thick diameter x by in length width height depth screen display")
