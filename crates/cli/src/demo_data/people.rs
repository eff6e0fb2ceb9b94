//! Who is who in the sample life. Every name and address is invented.

/// A person or a sender, by the short key that the sheets use.
pub struct Person {
    pub key: &'static str,
    pub name: &'static str,
    pub address: &'static str,
}

const fn person(key: &'static str, name: &'static str, address: &'static str) -> Person {
    Person { key, name, address }
}

static UNKNOWN: Person = person("unknown", "Unknown sender", "unknown@example.com");

static PEOPLE: &[Person] = &[
    person("maya", "Maya Lindqvist", "maya.lindqvist@example.org"),
    person("maya-work", "Maya Lindqvist", "maya@sjomarke.example.com"),
    person("maya-trips", "Maya Lindqvist", "maya.lindqvist+lisbon@example.org"),
    // Sjömärke Labs, where Maya leads product.
    person("sana", "Sana Rahimi", "sana@sjomarke.example.com"),
    person("haruto", "峰岸 陽斗 (Haruto Minegishi)", "haruto@sjomarke.example.com"),
    person("priya", "Priya Venkatesan", "priya@sjomarke.example.com"),
    person("oskar", "Oskar Dahlöf", "oskar@sjomarke.example.com"),
    person("tove", "Tove Ahlgrensson", "tove@sjomarke.example.com"),
    person("ben", "Ben Okafor", "ben@sjomarke.example.com"),
    person("elif", "Elif Kayacan", "elif@sjomarke.example.com"),
    // A decomposed ë: the letter e and a combining diaeresis.
    person("zoe", "Zoe\u{308} Marchetti", "zoe@sjomarke.example.com"),
    person("ci", "Harbor builds", "builds@sjomarke.example.com"),
    person("payroll", "Sjömärke payroll", "payroll@sjomarke.example.com"),
    person("expenses", "Reseräkning", "noreply@reserakning.example.com"),
    // Customers and suppliers of the launch.
    person("lerskar", "Agneta Holmqvist, Lerskär guest harbour", "agneta@harbour.example.org"),
    person("shiomihama", "潮見浜港 運営室", "office@shiomihama-port.example.com"),
    person("press", "Bryggbladet newsroom", "newsroom@bryggbladet.example.org"),
    person("print", "Tryckeri Skutskrift", "order@skutskrift.example.com"),
    person("hosting", "Lagunmoln status", "status@lagunmoln.example.com"),
    person("vendor", "Leadgull", "partnerships@leadgull.example.com"),
    // Home.
    person("jonas", "Jonas Ekvall", "jonas@varmvikglod.example.com"),
    person("marta", "Marta Wiklund", "marta@spanhuset.example.com"),
    person("gunnel", "Gunnel Åbergh", "styrelsen@brf-lonnlyktan.example.org"),
    person("yusuf", "Yusuf Haddadin", "yusuf.haddadin@example.org"),
    person("elias", "Elias Lindqvist", "elias.lindqvist@example.org"),
    person("karin", "Karin Lindqvist", "karin.lindqvist@example.org"),
    person("ines", "Inês Carvalhal", "ines.carvalhal@example.org"),
    person("dentist", "Tandkliniken Krusmyntan", "tid@krusmyntan.example.com"),
    person("shop", "Kvistkorg", "order@kvistkorg.example.com"),
    person("shop-help", "Kvistkorg customer care", "help@kvistkorg.example.com"),
    person("courier", "Budfink parcels", "noreply@budfink.example.com"),
    person("airline", "Skrakvinge", "booking@skrakvinge.example.com"),
    person("rail", "Comboios Azuis", "bilhetes@comboiosazuis.example.com"),
    person("bank", "Fyrbåksbanken", "noreply@fyrbaksbanken.example.com"),
    person("library", "Stadsbiblioteket Väst", "lan@biblioteket.example.org"),
    person("choir", "Kören Måsvind", "koren@masvind.example.org"),
    person("power", "Kajkraft", "faktura@kajkraft.example.com"),
    person("cloud", "Bildskrinet", "security@bildskrinet.example.com"),
    person("recipes", "Tallrik, a weekly kitchen letter", "letter@tallrik.example.org"),
    person("scam", "Account Verification Desk", "desk@prize-claims.example.com"),
];

/// The person behind a key.
pub fn find(key: &str) -> &'static Person {
    PEOPLE.iter().find(|person| person.key == key).unwrap_or(&UNKNOWN)
}
