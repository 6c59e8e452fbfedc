/// What installation asks of app extensions: catalogue rows 54 and 56 to 59.
enum PluginRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        []
    }
}

extension Rule {
    static let plugin: [Rule] = []
}
