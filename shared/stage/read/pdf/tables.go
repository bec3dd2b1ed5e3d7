package pdf

// glyphTable says which characters a named glyph shows, as "name:hex+hex". The names are
// those that the PDF and Type 1 formats prescribe, and some of TeX. A ligature shows
// letters.
const glyphTable = `prime:2032 nabla:2207 floorright:230b floorleft:230a ceilingright:2309 ceilingleft:2308 circlecopyrt:a9 integraldisplay:222b integraltext:222b` +
	" " + `summationtext:2211 summationdisplay:2211 producttext:220f productdisplay:220f arrowhookright:21aa turnstileright:22a2 rho1:3f1 pi1:3d6 owner:220b` +
	" " + `hyphenminus:2d dotlessj:237 circleminus:2296 circledot:2299 circledivide:2298 arabiccomma:60c arabicsemicolon:61b arabicquestion:61f registerserif:ae` +
	" " + `registersans:ae copyrightserif:a9 copyrightsans:a9 trademarkserif:2122 trademarksans:2122 Rfractur:211c Ifractur:2111 bardbl:2016` +
	" " + `lamwithalefhamzaaboveisolatedd:644+623 lamwithalefmaddaaboveisolatedd:644+622 similarequal:2243 dal:62f parenleftbig:28 parenrightbig:29` +
	" " + `braceleftbig:7b bracerightbig:7d bracketleftbig:5b bracketrightbig:5d radicalbig:221a parenleftBig:28 parenrightBig:29 braceleftBig:7b` +
	" " + `bracerightBig:7d bracketleftBig:5b bracketrightBig:5d radicalBig:221a parenleftbigg:28 parenrightbigg:29 braceleftbigg:7b bracerightbigg:7d` +
	" " + `bracketleftbigg:5b bracketrightbigg:5d radicalbigg:221a parenleftBigg:28 parenrightBigg:29 braceleftBigg:7b bracerightBigg:7d bracketleftBigg:5b` +
	" " + `bracketrightBigg:5d radicalBigg:221a` +
	" " + `squaresolid:25a0 squaresmallsolid:25aa square:25a1 trianglerightsld:25b6 triangleright:25b7 circlesolid:25cf angbracketright:27e9 angbracketleft:27e8 angleright:27e9 angleleft:27e8 A:41 AE:c6 AEacute:1fc Aacute:c1 Abreve:102 Acircumflex:c2 Adieresis:c4 Agrave:c0 Alpha:391 Alphatonos:386 Amacron:100 Aogonek:104 Aring:c5` +
	" " + `Aringacute:1fa Atilde:c3 B:42 Beta:392 C:43 Cacute:106 Ccaron:10c Ccedilla:c7 Ccircumflex:108 Cdotaccent:10a Chi:3a7 D:44 Dcaron:10e Dcroat:110` +
	" " + `Delta:2206 E:45 Eacute:c9 Ebreve:114 Ecaron:11a Ecircumflex:ca Edieresis:cb Edotaccent:116 Egrave:c8 Emacron:112 Eng:14a Eogonek:118 Epsilon:395` +
	" " + `Epsilontonos:388 Eta:397 Etatonos:389 Eth:d0 Euro:20ac F:46 G:47 Gamma:393 Gbreve:11e Gcaron:1e6 Gcircumflex:11c Gdotaccent:120 H:48 H18533:25cf` +
	" " + `H18543:25aa H18551:25ab H22073:25a1 Hbar:126 Hcircumflex:124 I:49 IJ:132 Iacute:cd Ibreve:12c Icircumflex:ce Idieresis:cf Idotaccent:130 Ifraktur:2111` +
	" " + `Igrave:cc Imacron:12a Iogonek:12e Iota:399 Iotadieresis:3aa Iotatonos:38a Itilde:128 J:4a Jcircumflex:134 K:4b Kappa:39a L:4c Lacute:139 Lambda:39b` +
	" " + `Lcaron:13d Ldot:13f Lslash:141 M:4d Mu:39c N:4e Nacute:143 Ncaron:147 Ntilde:d1 Nu:39d O:4f OE:152 Oacute:d3 Obreve:14e Ocircumflex:d4 Odieresis:d6` +
	" " + `Ograve:d2 Ohm:2126 Ohorn:1a0 Ohungarumlaut:150 Omacron:14c Omega:2126 Omegatonos:38f Omicron:39f Omicrontonos:38c Oslash:d8 Oslashacute:1fe Otilde:d5` +
	" " + `P:50 Phi:3a6 Pi:3a0 Psi:3a8 Q:51 R:52 Racute:154 Rcaron:158 Rfraktur:211c Rho:3a1 S:53 SF010000:250c SF020000:2514 SF030000:2510 SF040000:2518` +
	" " + `SF050000:253c SF060000:252c SF070000:2534 SF080000:251c SF090000:2524 SF100000:2500 SF110000:2502 SF190000:2561 SF200000:2562 SF210000:2556` +
	" " + `SF220000:2555 SF230000:2563 SF240000:2551 SF250000:2557 SF260000:255d SF270000:255c SF280000:255b SF360000:255e SF370000:255f SF380000:255a` +
	" " + `SF390000:2554 SF400000:2569 SF410000:2566 SF420000:2560 SF430000:2550 SF440000:256c SF450000:2567 SF460000:2568 SF470000:2564 SF480000:2565` +
	" " + `SF490000:2559 SF500000:2558 SF510000:2552 SF520000:2553 SF530000:256b SF540000:256a Sacute:15a Scaron:160 Scedilla:15e Scircumflex:15c Sigma:3a3 T:54` +
	" " + `Tau:3a4 Tbar:166 Tcaron:164 Theta:398 Thorn:de U:55 Uacute:da Ubreve:16c Ucircumflex:db Udieresis:dc Ugrave:d9 Uhorn:1af Uhungarumlaut:170 Umacron:16a` +
	" " + `Uogonek:172 Upsilon:3a5 Upsilon1:3d2 Upsilondieresis:3ab Upsilontonos:38e Uring:16e Utilde:168 V:56 W:57 Wacute:1e82 Wcircumflex:174 Wdieresis:1e84` +
	" " + `Wgrave:1e80 X:58 Xi:39e Y:59 Yacute:dd Ycircumflex:176 Ydieresis:178 Ygrave:1ef2 Z:5a Zacute:179 Zcaron:17d Zdotaccent:17b Zeta:396 a:61 aacute:e1` +
	" " + `abreve:103 acircumflex:e2 acute:b4 acutecomb:301 adieresis:e4 ae:e6 aeacute:1fd agrave:e0 aleph:2135 alpha:3b1 alphatonos:3ac amacron:101 ampersand:26` +
	" " + `angle:2220   anoteleia:387 aogonek:105 approxequal:2248 aring:e5 aringacute:1fb arrowboth:2194 arrowdblboth:21d4` +
	" " + `arrowdbldown:21d3 arrowdblleft:21d0 arrowdblright:21d2 arrowdblup:21d1 arrowdown:2193 arrowleft:2190 arrowright:2192 arrowup:2191 arrowupdn:2195` +
	" " + `arrowupdnbse:21a8 asciicircum:5e asciitilde:7e asterisk:2a asteriskmath:2217 at:40 atilde:e3 b:62 backslash:5c bar:7c beta:3b2 block:2588 braceleft:7b` +
	" " + `braceright:7d bracketleft:5b bracketright:5d breve:2d8 brokenbar:a6 bullet:2022 c:63 cacute:107 caron:2c7 carriagereturn:21b5 ccaron:10d ccedilla:e7` +
	" " + `ccircumflex:109 cdotaccent:10b cedilla:b8 cent:a2 chi:3c7 circle:25cb circlemultiply:2297 circleplus:2295 circumflex:2c6 club:2663 colon:3a` +
	" " + `colonmonetary:20a1 comma:2c compwordmark: congruent:2245 copyright:a9 currency:a4 cwm: d:64 dagger:2020 daggerdbl:2021 dblbracketleft:27e6` +
	" " + `dblbracketright:27e7 dcaron:10f dcroat:111 degree:b0 delta:3b4 diamond:2666 dieresis:a8 dieresistonos:385 divide:f7 dkshade:2593 dnblock:2584` +
	" " + `dollar:24 dong:20ab dotaccent:2d9 dotbelowcomb:323 dotlessi:131 dotmath:22c5 e:65 eacute:e9 ebreve:115 ecaron:11b ecircumflex:ea edieresis:eb` +
	" " + `edotaccent:117 egrave:e8 eight:38 element:2208 ellipsis:2026 emacron:113 emdash:2014 emptyset:2205 endash:2013 eng:14b eogonek:119 epsilon:3b5` +
	" " + `epsilon1:3b5 epsilontonos:3ad equal:3d equivalence:2261 estimated:212e eta:3b7 etatonos:3ae eth:f0 exclam:21 exclamdbl:203c exclamdown:a1` +
	" " + `existential:2203 f:66 f_f:66+66 f_f_i:66+66+69 f_f_l:66+66+6c f_i:66+69 f_l:66+6c female:2640 ff:66+66 ffi:66+66+69 ffl:66+66+6c ffsl: fi:66+69` +
	" " + `figuredash:2012 filledbox:25a0 filledrect:25ac five:35 fiveeighths:215d fj:66+6a fl:66+6c florin:192 four:34 fraction:2044 franc:20a3 g:67 gamma:3b3` +
	" " + `gbreve:11f gcaron:1e7 gcircumflex:11d gdotaccent:121 germandbls:df gradient:2207 grave:60 gravecomb:300 greater:3e greaterequal:2265` +
	" " + `greaterorequalslant:2a7e guillemotleft:ab guillemotright:bb guilsinglleft:2039 guilsinglright:203a h:68 hbar:127 hcircumflex:125 heart:2665` +
	" " + `hookabovecomb:309 house:2302 hungarumlaut:2dd hyphen:2d hyphenchar:2d i:69 iacute:ed ibreve:12d icircumflex:ee idieresis:ef igrave:ec ij:133` +
	" " + `imacron:12b increment:2206 infinity:221e integral:222b integralbt:2321 integraltp:2320 intersection:2229 invbullet:25d8 invcircle:25d9` +
	" " + `invsmileface:263b iogonek:12f iota:3b9 iotadieresis:3ca iotadieresistonos:390 iotatonos:3af itilde:129 j:6a jcircumflex:135 k:6b kappa:3ba` +
	" " + `kgreenlandic:138 l:6c lacute:13a lambda:3bb lcaron:13e ldot:140 less:3c lessequal:2264 lessorequalslant:2a7d lfblock:258c lira:20a4 logicaland:2227` +
	" " + `logicalnot:ac logicalor:2228 longs:17f lozenge:25ca lscript:2113 lslash:142 ltshade:2591 m:6d macron:af male:2642 mapsto:21a6 middot:b7 minus:2212` +
	" " + `minusplus:2213 minute:2032 mu:b5 mu1:b5 multiply:d7 musicalnote:266a musicalnotedbl:266b n:6e nacute:144 napostrophe:149 nbspace:a0 ncaron:148` +
	" " + `negationslash:338 nine:39 notelement:2209 notequal:2260 notsubset:2284 ntilde:f1 nu:3bd numbersign:23 o:6f oacute:f3 obreve:14f ocircumflex:f4` +
	" " + `odieresis:f6 oe:153 ogonek:2db ograve:f2 ohorn:1a1 ohungarumlaut:151 omacron:14d omega:3c9 omega1:3d6 omegatonos:3ce omicron:3bf omicrontonos:3cc` +
	" " + `one:31 onedotenleader:2024 oneeighth:215b onehalf:bd onequarter:bc onesuperior:b9 onethird:2153 openbullet:25e6 ordfeminine:aa ordmasculine:ba` +
	" " + `orthogonal:221f oslash:f8 oslashacute:1ff otilde:f5 p:70 paragraph:b6 parenleft:28 parenright:29 partialdiff:2202 percent:25 period:2e` +
	" " + `periodcentered:b7 perpendicular:22a5 perthousand:2030 perthousandzero: peseta:20a7 phi:3c6 phi1:3c6 pi:3c0 plus:2b plusminus:b1 precedesequal:2aaf` +
	" " + `prescription:211e product:220f propersubset:2282 propersuperset:2283 proportional:221d psi:3c8 q:71 question:3f questiondown:bf quotedbl:22` +
	" " + `quotedblbase:201e quotedblleft:201c quotedblright:201d quoteleft:2018 quotereversed:201b quoteright:2019 quotesinglbase:201a quotesingle:27 r:72` +
	" " + `racute:155 radical:221a rcaron:159 reflexsubset:2286 reflexsuperset:2287 registered:ae revlogicalnot:2310 rho:3c1 ring:2da rtblock:2590 s:73` +
	" " + `sacute:15b scaron:161 scedilla:15f scircumflex:15d second:2033 section:a7 semicolon:3b seven:37 seveneighths:215e sfthyphen:ad shade:2592 sigma:3c3` +
	" " + `sigma1:3c2 similar:223c six:36 slash:2f slurabove:2322 smileface:263a softhyphen:ad space:20 spade:2660 star:22c6 sterling:a3` +
	" " + `suchthat:220b summation:2211 sun:263c t:74 tau:3c4 tbar:167 tcaron:165 therefore:2234 theta:3b8 theta1:3d1 thorn:fe three:33 threeeighths:215c` +
	" " + `threequarters:be threesuperior:b3 tie:361 tilde:2dc tildecomb:303 tonos:384 trademark:2122 triagdn:25bc triaglf:25c4 triagrt:25ba triagup:25b2 two:32` +
	" " + `twodotenleader:2025 twosuperior:b2 twothirds:2154 u:75 uacute:fa ubreve:16d ucircumflex:fb udieresis:fc ugrave:f9 uhorn:1b0 uhungarumlaut:171` +
	" " + `umacron:16b underscore:5f underscoredbl:2017 union:222a universal:2200 uogonek:173 upblock:2580 upsilon:3c5 upsilondieresis:3cb` +
	" " + `upsilondieresistonos:3b0 upsilontonos:3cd uring:16f utilde:169 v:76 vector:20d7 visiblespace:20 w:77 wacute:1e83 wcircumflex:175 wdieresis:1e85` +
	" " + `weierstrass:2118 wgrave:1e81 x:78 xi:3be y:79 yacute:fd ycircumflex:177 ydieresis:ff yen:a5 ygrave:1ef3 z:7a zacute:17a zcaron:17e zdotaccent:17c` +
	" " + `zero:30 zeta:3b6`

// standardTable is the encoding that Type 1 fonts have when they name none, as "hex:name".
const standardTable = `20:space 21:exclam 22:quotedbl 23:numbersign 24:dollar 25:percent 26:ampersand 27:quoteright 28:parenleft 29:parenright 2a:asterisk 2b:plus 2c:comma` +
	" " + `2d:hyphen 2e:period 2f:slash 30:zero 31:one 32:two 33:three 34:four 35:five 36:six 37:seven 38:eight 39:nine 3a:colon 3b:semicolon 3c:less 3d:equal` +
	" " + `3e:greater 3f:question 40:at 41:A 42:B 43:C 44:D 45:E 46:F 47:G 48:H 49:I 4a:J 4b:K 4c:L 4d:M 4e:N 4f:O 50:P 51:Q 52:R 53:S 54:T 55:U 56:V 57:W 58:X` +
	" " + `59:Y 5a:Z 5b:bracketleft 5c:backslash 5d:bracketright 5e:asciicircum 5f:underscore 60:quoteleft 61:a 62:b 63:c 64:d 65:e 66:f 67:g 68:h 69:i 6a:j 6b:k` +
	" " + `6c:l 6d:m 6e:n 6f:o 70:p 71:q 72:r 73:s 74:t 75:u 76:v 77:w 78:x 79:y 7a:z 7b:braceleft 7c:bar 7d:braceright 7e:asciitilde a1:exclamdown a2:cent` +
	" " + `a3:sterling a4:fraction a5:yen a6:florin a7:section a8:currency a9:quotesingle aa:quotedblleft ab:guillemotleft ac:guilsinglleft ad:guilsinglright` +
	" " + `ae:fi af:fl b1:endash b2:dagger b3:daggerdbl b4:periodcentered b6:paragraph b7:bullet b8:quotesinglbase b9:quotedblbase ba:quotedblright` +
	" " + `bb:guillemotright bc:ellipsis bd:perthousand bf:questiondown c1:grave c2:acute c3:circumflex c4:tilde c5:macron c6:breve c7:dotaccent c8:dieresis` +
	" " + `ca:ring cb:cedilla cd:hungarumlaut ce:ogonek cf:caron d0:emdash e1:AE e3:ordfeminine e8:Lslash e9:Oslash ea:OE eb:ordmasculine f1:ae f5:dotlessi` +
	" " + `f8:lslash f9:oslash fa:oe fb:germandbls`

// symbolTable is the encoding of the font Symbol.
const symbolTable = `20:space 21:exclam 22:universal 23:numbersign 24:existential 25:percent 26:ampersand 27:suchthat 28:parenleft 29:parenright 2a:asteriskmath 2b:plus` +
	" " + `2c:comma 2d:minus 2e:period 2f:slash 30:zero 31:one 32:two 33:three 34:four 35:five 36:six 37:seven 38:eight 39:nine 3a:colon 3b:semicolon 3c:less` +
	" " + `3d:equal 3e:greater 3f:question 40:congruent 41:Alpha 42:Beta 43:Chi 44:Delta 45:Epsilon 46:Phi 47:Gamma 48:Eta 49:Iota 4a:theta1 4b:Kappa 4c:Lambda` +
	" " + `4d:Mu 4e:Nu 4f:Omicron 50:Pi 51:Theta 52:Rho 53:Sigma 54:Tau 55:Upsilon 56:sigma1 57:Omega 58:Xi 59:Psi 5a:Zeta 5b:bracketleft 5c:therefore` +
	" " + `5d:bracketright 5e:perpendicular 5f:underscore 60:radicalex 61:alpha 62:beta 63:chi 64:delta 65:epsilon 66:phi 67:gamma 68:eta 69:iota 6a:phi1` +
	" " + `6b:kappa 6c:lambda 6d:mu 6e:nu 6f:omicron 70:pi 71:theta 72:rho 73:sigma 74:tau 75:upsilon 76:omega1 77:omega 78:xi 79:psi 7a:zeta 7b:braceleft 7c:bar` +
	" " + `7d:braceright 7e:similar a0:Euro a1:Upsilon1 a2:minute a3:lessequal a4:fraction a5:infinity a6:florin a7:club a8:diamond a9:heart aa:spade` +
	" " + `ab:arrowboth ac:arrowleft ad:arrowup ae:arrowright af:arrowdown b0:degree b1:plusminus b2:second b3:greaterequal b4:multiply b5:proportional` +
	" " + `b6:partialdiff b7:bullet b8:divide b9:notequal ba:equivalence bb:approxequal bc:ellipsis bd:arrowvertex be:arrowhorizex bf:carriagereturn c0:aleph` +
	" " + `c1:Ifraktur c2:Rfraktur c3:weierstrass c4:circlemultiply c5:circleplus c6:emptyset c7:intersection c8:union c9:propersuperset ca:reflexsuperset` +
	" " + `cb:notsubset cc:propersubset cd:reflexsubset ce:element cf:notelement d0:angle d1:gradient d2:registerserif d3:copyrightserif d4:trademarkserif` +
	" " + `d5:product d6:radical d7:dotmath d8:logicalnot d9:logicaland da:logicalor db:arrowdblboth dc:arrowdblleft dd:arrowdblup de:arrowdblright` +
	" " + `df:arrowdbldown e0:lozenge e1:angleleft e2:registersans e3:copyrightsans e4:trademarksans e5:summation e6:parenlefttp e7:parenleftex e8:parenleftbt` +
	" " + `e9:bracketlefttp ea:bracketleftex eb:bracketleftbt ec:bracelefttp ed:braceleftmid ee:braceleftbt ef:braceex f1:angleright f2:integral f3:integraltp` +
	" " + `f4:integralex f5:integralbt f6:parenrighttp f7:parenrightex f8:parenrightbt f9:bracketrighttp fa:bracketrightex fb:bracketrightbt fc:bracerighttp` +
	" " + `fd:bracerightmid fe:bracerightbt`

// helveticaWidths are the widths of the characters 32 to 126 of Helvetica, in thousandths of the
// size: the fonts that every reader has come without.
var helveticaWidths = [95]int16{
	278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
	556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
	611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
	667, 611, 278, 278, 278, 469, 556, 222, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
	222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// timesWidths are the widths of the characters 32 to 126 of Times-Roman, in thousandths of the
// size: the fonts that every reader has come without.
var timesWidths = [95]int16{
	250, 333, 408, 500, 500, 833, 778, 333, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
	500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
	556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
	722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
	278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
}

// cffStrings are the names that every Compact Font Format font knows by their numbers.
const cffStrings = `.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen period slash` +
	" " + `zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V` +
	" " + `W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar` +
	" " + `braceright asciitilde exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft` +
	" " + `guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright` +
	" " + `ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash` +
	" " + `AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf` +
	" " + `plusminus Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright` +
	" " + `Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde` +
	" " + `Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis` +
	" " + `agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis` +
	" " + `ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron exclamsmall Hungarumlautsmall dollaroldstyle dollarsuperior` +
	" " + `ampersandsmall Acutesmall parenleftsuperior parenrightsuperior twodotenleader onedotenleader zerooldstyle oneoldstyle twooldstyle` +
	" " + `threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle nineoldstyle commasuperior threequartersemdash periodsuperior` +
	" " + `questionsmall asuperior bsuperior centsuperior dsuperior esuperior isuperior lsuperior msuperior nsuperior osuperior rsuperior ssuperior` +
	" " + `tsuperior ff ffi ffl parenleftinferior parenrightinferior Circumflexsmall hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall` +
	" " + `Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall Zsmall` +
	" " + `colonmonetary onefitted rupiah Tildesmall exclamdownsmall centoldstyle Lslashsmall Scaronsmall Zcaronsmall Dieresissmall Brevesmall` +
	" " + `Caronsmall Dotaccentsmall Macronsmall figuredash hypheninferior Ogoneksmall Ringsmall Cedillasmall questiondownsmall oneeighth threeeighths` +
	" " + `fiveeighths seveneighths onethird twothirds zerosuperior foursuperior fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior` +
	" " + `zeroinferior oneinferior twoinferior threeinferior fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior` +
	" " + `centinferior dollarinferior periodinferior commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall` +
	" " + `AEsmall Ccedillasmall Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall Iacutesmall Icircumflexsmall Idieresissmall` +
	" " + `Ethsmall Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall` +
	" " + `Ucircumflexsmall Udieresissmall Yacutesmall Thornsmall Ydieresissmall 001.000 001.001 001.002 001.003 Black Bold Book Light Medium Regular` +
	" " + `Roman Semibold`
