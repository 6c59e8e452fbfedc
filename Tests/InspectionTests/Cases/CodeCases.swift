import Sample

extension RuleCase {
    static let code: [RuleCase] = []
}
