import Sample

extension RuleCase {
    static let infoPlist: [RuleCase] = []
}
