import Inspection
import PropertyLists
import Sample

extension RuleCase {
    static let seal: [RuleCase] = sealedFiles + sealState

    private static let sealPath = "/_CodeSignature/CodeResources"

    private static let sealedFiles: [RuleCase] = [
        RuleCase("seal.modified", at: "/notes.txt") {
            $0.afterSigning { try $0.flip("notes.txt", at: 0) }
        },
        RuleCase("seal.modified", at: "/PlugIns/W.appex/tile.json") {
            $0.nesting(.widget("W")) { $0.resources.append(.text("tile.json", "{}")) }
                .afterSigning { try $0.flip("PlugIns/W.appex/tile.json", at: 0) }
        },
        RuleCase("seal.added", at: "/more.txt") {
            $0.afterSigning { $0.add(.text("more.txt", "")) }
        },
        RuleCase("seal.added", at: "/Frameworks/Kit.framework/more.txt") {
            $0.nesting(.framework("Kit")).afterSigning {
                $0.add(.text("Frameworks/Kit.framework/more.txt", ""))
            }
        },
        RuleCase("seal.missing", at: "/notes.txt") {
            $0.afterSigning { try $0.remove("notes.txt") }
        },
        RuleCase("seal.link", at: "/link") {
            $0.resource(.symbolicLink("link", to: "notes.txt")).afterSigning {
                try $0.remove("link")
                $0.add(.text("link", "sealed"))
            }
        },
        RuleCase("seal.link", at: "/link") {
            $0.resource(.symbolicLink("link", to: "notes.txt")).afterSigning {
                try $0.remove("link")
                $0.add(.symbolicLink("link", to: "Info.plist"))
            }
        },
        RuleCase("seal.link", at: "/notes.txt") {
            $0.afterSigning {
                try $0.remove("notes.txt")
                $0.add(.symbolicLink("notes.txt", to: "Info.plist"))
            }
        },
    ]

    private static let sealState: [RuleCase] = [
        RuleCase("seal.absent", at: sealPath) {
            $0.afterSigning { try $0.remove("_CodeSignature") }
        },
        RuleCase("seal.absent", at: "/Frameworks/Kit.framework" + sealPath) {
            $0.nesting(.framework("Kit")).afterSigning {
                try $0.remove("Frameworks/Kit.framework/_CodeSignature")
            }
        },
        RuleCase("seal.malformed", at: sealPath) {
            $0.signing { $0.codeResources = Array("sealed".utf8) }
        },
        RuleCase("seal.malformed", at: "/notes.txt") {
            $0.sealed(files: ["notes.txt": .boolean(true)])
        },
        RuleCase("seal.old-form", .warns, at: sealPath) {
            $0.signing {
                $0.codeResources =
                    PropertyList.dictionary([
                        "files": .dictionary([:]), "rules": .dictionary(["^": omitted]),
                    ]).xml()
            }
        },
        RuleCase("seal.unclear", .warns, at: sealPath) { $0.sealed(rules: ["(": .boolean(true)]) },
    ]

    fileprivate static let omitted = PropertyList.dictionary([
        "omit": .boolean(true), "weight": .real(10),
    ])
}

extension IPABuilder {
    /// Signs the app with a seal that covers only these files.
    fileprivate func sealed(
        files: [String: PropertyList] = [:],
        rules: [String: PropertyList] = [:],
    ) -> IPABuilder {
        let seal = PropertyList.dictionary([
            "files2": .dictionary(files),
            "rules2": .dictionary(rules.merging(["^": RuleCase.omitted]) { $1 }),
        ])
        return signing { $0.codeResources = seal.xml() }
    }
}
