import Bytes
import CodeSignature
import PropertyLists
import Sample
import Signing

/// `seal`: a seal is read or refused, and its rules decide about any path with bounded work.
struct Seals: PlainInputKind {
    static let name = "seal"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let seal = CodeResources([
            "a": .file(sha1: Array(repeating: 1, count: 20), sha256: Array(1...32)),
            "l": .symbolicLink(target: "a"),
        ])
        let older: PropertyList = .dictionary([
            "files": .dictionary(["a": .data(Array(1...20))]),
            "rules": .dictionary([
                "^": .boolean(true), "^b/": .dictionary(["omit": .boolean(true)]),
            ]),
        ])
        return ["usual": seal.propertyList.xml(), "older": older.binary()]
    }

    func check(_ input: [UInt8]) {
        guard
            let seal = accepted({ () throws(MalformedSeal) in
                try SealedResources(reading: input)
            })
        else { return }
        promise(seal.rules.rules.count <= 256, "more rules than are kept")
        let paths =
            seal.entries.keys.prefix(8) + ["a", "b/c.lproj/d", "PlugIns/e.appex/Info.plist"]
        var budget = 2_000_000
        for path in paths {
            let before = budget
            do throws(SealRuleSet.TooCostly) {
                let rule = try seal.rules.deciding(path, budget: &budget)
                promise(rule.map { seal.rules.rules.contains($0) } ?? true, "a rule from nowhere")
            } catch {
                promise(budget == 0, "a search gave up with work to spare")
                return
            }
            promise(budget <= before, "a search gave work back")
        }
    }
}
