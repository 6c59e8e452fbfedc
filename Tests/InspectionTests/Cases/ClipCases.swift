import Inspection
import PropertyLists
import Sample

extension RuleCase {
    private static let program = "/AppClips/Clip.app/Clip"
    private static let parents = "com.apple.developer.parent-application-identifiers"

    private static func clip(_ name: String = "Clip") -> BundleDraft {
        .appClip(name, identifier: "com.example.app.\(name)")
    }

    /// An App Clip compared with its app.
    static let clip: [RuleCase] = [
        RuleCase("clip.parent-missing", at: program) {
            $0.nesting(clip()) { $0.entitlements[parents] = .some(nil) }
        },
        RuleCase("clip.parent-foreign", at: program) {
            $0.nesting(clip()) {
                $0.entitlements[parents] = .array([.string("OTASAMPLE1.com.example.other")])
            }
        },
        // The team's prefix belongs to the identifier.
        RuleCase("clip.parent-foreign", at: program) {
            $0.nesting(clip()) { $0.entitlements[parents] = .array([.string("com.example.app")]) }
        },
        RuleCase("clip.parent-foreign", at: program) {
            $0.nesting(clip()) {
                $0.entitlements[parents] = .string("OTASAMPLE1.com.example.app")
            }
        },
        RuleCase("clip.several", .warns, at: "/AppClips/Other.app") {
            $0.nesting(clip(), clip("Other"))
        },
    ]
}
