import Sample

extension RuleCase {
    static let seal: [RuleCase] = []
}
