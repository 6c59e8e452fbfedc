import Sample

extension RuleCase {
    static let watch: [RuleCase] = []
}
