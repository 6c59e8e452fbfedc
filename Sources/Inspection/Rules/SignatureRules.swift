/// Who signed, and whether the signature holds: catalogue rows 8, 9, 19 to 31, 49 and 80.
enum SignatureRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        []
    }
}

extension Rule {
    static let signature: [Rule] = []
}
