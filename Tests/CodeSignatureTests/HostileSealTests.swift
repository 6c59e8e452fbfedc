import CodeSignature
import PropertyLists
import Sample
import Testing

/// The seals of one app share limits on their cost.
@Suite struct HostileSealTests {
    /// An app with the given number of frameworks, each with the same seal and a file that the seal does not
    /// name.
    private func seals(
        _ count: Int,
        _ rules: [String],
        file: String = "extra",
    ) throws -> [SealEvidence] {
        let list = PropertyList.dictionary([
            "files2": .dictionary([:]),
            "rules2": .dictionary(
                Dictionary(uniqueKeysWithValues: rules.map { ($0, .boolean(true)) })
            ),
        ])
        let frameworks = (0..<count).map { index in
            var draft = BundleDraft.framework("K\(index)")
            draft.signing.codeResources = list.xml()
            draft.resources.append(.text(file, ""))
            return draft
        }
        return try Surveying.signatures(
            of: Surveying.plain().editing { $0.app.nested += frameworks }.bytes()
        ).nested.compactMap(\.seal)
    }

    @Test(.timeLimit(.minutes(10)))
    func `patterns of all seals together are bounded`() throws {
        let rules = (100..<356).map { "\($0)(a{255}){15}" }
        let seals = try seals(24, rules)
        let kept = seals.map { 256 - $0.malformedRules.count }
        #expect(kept.count == 24)
        #expect(kept.first == 5)
        #expect(kept.last == 0)
        #expect(kept.reduce(0, +) <= 60)
    }

    @Test(.timeLimit(.minutes(10)))
    func `searches of all seals share one budget`() throws {
        let rules = (0..<4).map { "\($0)|(a?){200}(a?){200}(a?){200}(a?){200}z" }
        let seals = try seals(20, rules, file: String(repeating: "a", count: 200))
        let undecided = seals.map { $0.damages.contains { $0.kind == .undecided } }
        #expect(undecided.first == false)
        #expect(undecided.last == true)
        #expect(undecided == undecided.sorted { !$0 && $1 })
    }
}
