/// Capitals and digits as pen strokes, for icons that the server draws.
enum Glyph {
    /// Returns the first letter or digit of a name that this alphabet has; otherwise the install symbol.
    static func initial(of name: String) -> StrokePath {
        for character in name where character.isLetter || character.isNumber {
            return StrokePath(strokes[plain(character)] ?? install)
        }
        return StrokePath(install)
    }

    /// An arrow down onto a line.
    private static let install: [StrokePath.Step] = [
        .move(0.4, 0), .line(0.4, 0.68), .move(0.1, 0.4), .line(0.4, 0.7), .line(0.7, 0.4),
        .move(0, 1), .line(0.8, 1),
    ]

    /// Returns the capital without its accent.
    private static func plain(_ character: Character) -> Character {
        let capital = character.uppercased().first ?? character
        for (letter, forms) in accented where forms.contains(capital) { return letter }
        return capital
    }

    private static let accented: [(Character, String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄÆ"), ("C", "ÇĆĈĊČ"), ("D", "ĎĐÐ"), ("E", "ÈÉÊËĒĖĘĚ"), ("G", "ĜĞĠĢ"),
        ("H", "ĤĦ"), ("I", "ÌÍÎÏĪĮİ"), ("J", "Ĵ"), ("K", "Ķ"), ("L", "ĹĻĽŁ"), ("N", "ÑŃŅŇ"),
        ("O", "ÒÓÔÕÖØŌŐŒ"), ("R", "ŔŘ"), ("S", "ŚŜŞŠȘ"), ("T", "ŢŤȚ"), ("U", "ÙÚÛÜŪŮŰŲ"),
        ("W", "Ŵ"), ("Y", "ÝŶŸ"), ("Z", "ŹŻŽ"),
    ]

    static let strokes: [Character: [StrokePath.Step]] = [
        "A": [
            .move(0, 1), .line(0.42, 0), .line(0.84, 1), .move(0.14, 0.67), .line(0.7, 0.67),
        ],
        "B": [
            .move(0, 0.48), .line(0, 0), .arc(0.34, 0.24, 0.25, 0.24, from: -90, to: 90),
            .line(0, 0.48), .line(0, 1), .arc(0.37, 0.74, 0.28, 0.26, from: 90, to: -90),
        ],
        "C": [.move(0.84, 0.17), .arc(0.49, 0.5, 0.49, 0.5, from: -42, to: -318)],
        "D": [
            .move(0, 1), .line(0, 0), .arc(0.29, 0.5, 0.47, 0.5, from: -90, to: 90), .line(0, 1),
        ],
        "E": [
            .move(0.57, 0), .line(0, 0), .line(0, 1), .line(0.57, 1), .move(0, 0.49),
            .line(0.5, 0.49),
        ],
        "F": [.move(0.56, 0), .line(0, 0), .line(0, 1), .move(0, 0.5), .line(0.48, 0.5)],
        "G": [
            .move(0.84, 0.16), .arc(0.49, 0.5, 0.49, 0.5, from: -44, to: -356),
            .line(0.58, 0.535),
        ],
        "H": [
            .move(0, 0), .line(0, 1), .move(0.72, 0), .line(0.72, 1), .move(0, 0.49),
            .line(0.72, 0.49),
        ],
        "I": [.move(0, 0), .line(0, 1)],
        "J": [.move(0.5, 0), .arc(0.25, 0.72, 0.25, 0.28, from: 0, to: 160)],
        "K": [
            .move(0, 0), .line(0, 1), .move(0.62, 0), .line(0, 0.63), .move(0.22, 0.41),
            .line(0.66, 1),
        ],
        "L": [.move(0, 0), .line(0, 1), .line(0.54, 1)],
        "M": [.move(0, 1), .line(0, 0), .line(0.44, 0.66), .line(0.88, 0), .line(0.88, 1)],
        "N": [.move(0, 1), .line(0, 0), .line(0.72, 1), .line(0.72, 0)],
        "O": [.ring(0.5, 0.5, 0.5, 0.5)],
        "P": [
            .move(0, 1), .line(0, 0), .arc(0.34, 0.28, 0.28, 0.28, from: -90, to: 90),
            .line(0, 0.56),
        ],
        "Q": [.ring(0.5, 0.5, 0.5, 0.5), .move(0.62, 0.68), .line(0.94, 1.02)],
        "R": [
            .move(0, 1), .line(0, 0), .arc(0.34, 0.27, 0.27, 0.27, from: -90, to: 90),
            .line(0, 0.54), .move(0.34, 0.54), .line(0.63, 1),
        ],
        "S": [
            .move(0.6, 0.17), .curve(0.55, 0.06, 0.45, 0, 0.32, 0),
            .curve(0.14, 0, 0.02, 0.1, 0.02, 0.25), .curve(0.02, 0.42, 0.17, 0.46, 0.32, 0.5),
            .curve(0.49, 0.545, 0.64, 0.59, 0.64, 0.75), .curve(0.64, 0.9, 0.5, 1, 0.32, 1),
            .curve(0.16, 1, 0.05, 0.93, 0, 0.81),
        ],
        "T": [.move(0, 0), .line(0.74, 0), .move(0.37, 0), .line(0.37, 1)],
        "U": [.move(0, 0), .arc(0.35, 0.65, 0.35, 0.35, from: 180, to: 0), .line(0.7, 0)],
        "V": [.move(0, 0), .line(0.41, 1), .line(0.82, 0)],
        "W": [.move(0, 0), .line(0.28, 1), .line(0.58, 0.1), .line(0.88, 1), .line(1.16, 0)],
        "X": [.move(0, 0), .line(0.7, 1), .move(0.7, 0), .line(0, 1)],
        "Y": [
            .move(0, 0), .line(0.38, 0.52), .line(0.76, 0), .move(0.38, 0.52), .line(0.38, 1),
        ],
        "Z": [.move(0.02, 0), .line(0.66, 0), .line(0, 1), .line(0.68, 1)],
        "0": [.ring(0.35, 0.5, 0.35, 0.5)],
        "1": [.move(0, 0.2), .line(0.28, 0), .line(0.28, 1)],
        "2": [
            .move(0.02, 0.24), .arc(0.32, 0.29, 0.3, 0.29, from: 190, to: 405), .line(0, 1),
            .line(0.65, 1),
        ],
        "3": [
            .move(0.04, 0.16), .arc(0.31, 0.245, 0.28, 0.245, from: 202, to: 450),
            .line(0.24, 0.49), .move(0.3, 0.49),
            .arc(0.31, 0.745, 0.32, 0.255, from: -90, to: 158),
        ],
        "4": [.move(0.51, 1), .line(0.51, 0), .line(0, 0.7), .line(0.7, 0.7)],
        "5": [
            .move(0.58, 0), .line(0.13, 0), .arc(0.3, 0.67, 0.32, 0.33, from: 225, to: 505),
        ],
        "6": [
            .move(0.47, 0), .curve(0.2, 0.2, 0, 0.42, 0, 0.68), .ring(0.32, 0.68, 0.32, 0.32),
        ],
        "7": [.move(0, 0), .line(0.63, 0), .line(0.2, 1)],
        "8": [.ring(0.32, 0.24, 0.27, 0.24), .ring(0.32, 0.74, 0.32, 0.26)],
        "9": [
            .move(0.17, 1), .curve(0.44, 0.8, 0.64, 0.58, 0.64, 0.32),
            .ring(0.32, 0.32, 0.32, 0.32),
        ],
    ]
}
