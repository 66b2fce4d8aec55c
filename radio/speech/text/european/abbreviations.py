"""Abbreviations of languages other than English. Tables only."""

from collections.abc import Mapping
from typing import Final

ABBREVIATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "es": {
        "Sr.": "señor", "Sra.": "señora", "Srta.": "señorita", "Sres.": "señores", "Dr.": "doctor",
        "Dra.": "doctora", "Dña.": "doña", "Prof.": "profesor", "Profa.": "profesora", "Ing.": "ingeniero",
        "Lic.": "licenciado", "Ud.": "usted", "Uds.": "ustedes", "Vd.": "usted", "Vds.": "ustedes",
        "EE. UU.": "Estados Unidos", "EE.UU.": "Estados Unidos", "JJ. OO.": "Juegos Olímpicos",
        "JJ.OO.": "Juegos Olímpicos", "etc.": "etcétera", "p. ej.": "por ejemplo",
        "aprox.": "aproximadamente",
        "Avda.": "avenida", "Av.": "avenida", "Pza.": "plaza", "Plza.": "plaza", "C/": "calle",
        "dcha.": "derecha", "izq.": "izquierda",
        "Sta.": "santa",
        "Sto.": "santo", "D.ª": "doña", "Dª": "doña", "núm.": "número", "vol.": "volumen", "cap.": "capítulo",
        "EE. UU": "Estados Unidos", "a. C.": "antes de Cristo", "d. C.": "después de Cristo",
    },
    "fr": {
        "J.-C.": "Jésus-Christ", "chap.": "chapitre", "Bd.": "boulevard", "Bd": "boulevard",
        "vol.": "volume", "St": "saint", "Ste": "sainte", "St.": "saint", "Ste.": "sainte",
        "c. à s.": "cuillères à soupe", "c. à c.": "cuillères à café", "c.à.s.": "cuillères à soupe",
        "c.à.c.": "cuillères à café", "2nd": "second", "2nde": "seconde", "1re": "première",
        "1ère": "première",
        "M.": "monsieur", "MM.": "messieurs", "Mmes": "mesdames", "Dr": "docteur", "etc.": "et cetera",
        "p. ex.": "par exemple", "Ier": "premier", "Ire": "première",
        "av. J.-C.": "avant Jésus-Christ", "apr. J.-C.": "après Jésus-Christ", "env.": "environ",
    },
    "it": {
        "sig.": "signor", "Sig.": "signor", "sig.ra": "signora", "Sig.ra": "signora", "sigg.": "signori",
        "dott.": "dottor", "Dott.": "dottor", "dott.ssa": "dottoressa", "Dott.ssa": "dottoressa",
        "Dr.": "dottor", "prof.": "professor", "Prof.": "professor", "prof.ssa": "professoressa",
        "Prof.ssa": "professoressa", "avv.": "avvocato", "Avv.": "avvocato", "ing.": "ingegner",
        "Ing.": "ingegner", "ecc.": "eccetera", "ad es.": "ad esempio", "p. es.": "per esempio",
        "On.": "onorevole", "p.zza": "piazza", "P.zza": "piazza", "v.le": "viale",
        "c.so": "corso", "q.b.": "quanto basta", "sec.": "secolo", "vol.": "volume", "cap.": "capitolo",
        "a.C.": "avanti Cristo", "d.C.": "dopo Cristo",
    },
    "pt-br": {
        "Sr.": "senhor", "Sra.": "senhora", "Srta.": "senhorita", "Srs.": "senhores", "Dr.": "doutor",
        "Dra.": "doutora", "Prof.": "professor", "Profa.": "professora", "Av.": "avenida",
        "Pça.": "praça", "pça.": "praça", "apto.": "apartamento", "Sto.": "santo",
        "Sta.": "santa",
        "Exmo.": "excelentíssimo", "Exma.": "excelentíssima", "séc.": "século", "Séc.": "século",
        "vol.": "volume", "cap.": "capítulo",
        "etc.": "et cetera", "p. ex.": "por exemplo", "a.C.": "antes de Cristo", "d.C.": "depois de Cristo",
    },
    "hi": {"डॉ.": "डॉक्टर", "प्रो.": "प्रोफ़ेसर", "नं.": "नंबर", "कि.मी.": "किलोमीटर",
           "स्व.": "स्वर्गीय", "कु.": "कुमारी",
           "कि.ग्रा.": "किलोग्राम", "ई. पू.": "ईसा पूर्व", "ई.पू.": "ईसा पूर्व"},
}  # fmt: skip
BEFORE_NUMBERS: Final[Mapping[str, Mapping[str, str]]] = {
    "es": {
        r"[nN](?:\.?[º°]|úm\.)": "número", r"[aA]rt\.": "artículo", r"[pP]ág\.": "página",
        r"[pP]ágs\.": "páginas", r"p\.": "página", r"pp\.": "páginas", r"[tT]el\.:?": "teléfono",
        r"[nN]úm\.": "número",
    },
    "fr": {
        r"[nN][°º]": "numéro", r"[aA]rt\.": "article", r"p\.": "page", r"pp\.": "pages",
        r"[tT]él\.(?: ?:)?": "téléphone", "[nN]o": "numéro",
    },
    "it": {
        r"[nN](?:\.?[°º]|\.)": "numero", r"[aA]rt\.": "articolo", r"[pP]ag\.": "pagina",
        r"[tT]el\.:?": "telefono", r"pp\.": "pagine", r"p\.": "pagina",
    },
    "pt-br": {
        r"[nN]\.?[º°]": "número", r"[aA]rt\.": "artigo", r"[pP]ág\.": "página",
        r"[tT]el\.:?": "telefone", r"pp\.": "páginas", r"p\.": "página",
    },
}  # fmt: skip
MAY_END: Final = (
    "etc.",
    "J.-C.",
    "av. J.-C.",
    "apr. J.-C.",
    "ecc.",
    "a. C.",
    "d. C.",
    "a.C.",
    "d.C.",
    "EE. UU.",
    "EE.UU.",
    "JJ. OO.",
    "JJ.OO.",
)
