import Sample

extension RuleCase {
    static let plugin: [RuleCase] = []
}
