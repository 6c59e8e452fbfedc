import Sample

extension RuleCase {
    static let nested: [RuleCase] = []
}
