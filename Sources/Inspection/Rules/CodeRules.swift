/// What the executables are made for: catalogue rows 37, 40 and 41.
enum CodeRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        []
    }
}

extension Rule {
    static let code: [Rule] = []
}
