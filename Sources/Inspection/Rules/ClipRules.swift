import Bundles
import Bytes
import PropertyLists

/// Checks an App Clip against the app that contains it.
enum ClipRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let application = input.application
        let clips = application.nested.filter { $0.kind == .appClip && $0.defects.isEmpty }
        return clips.flatMap { parent(of: $0, in: input) } + several(clips)
    }

    /// "Parent Application Identifiers Entitlement": it has exactly one value, the application identifier
    /// of the containing app.
    private static func parent(of clip: AppBundle, in input: InspectionInput) -> [Finding] {
        guard let code = EntitledCode(of: clip, in: input), !code.claims.isEmpty else {
            return []
        }
        let values = code.claims.map { $0[key] }
        guard values.allSatisfy({ $0 != nil }) else {
            return [
                Rule.clipParentMissing.finding(
                    "The App Clip does not say which app it belongs to (\(key)).",
                    at: code.path,
                )
            ]
        }
        let apps = EntitledCode(of: input.application, in: input)?.identifiers ?? []
        guard !apps.isEmpty else { return [] }
        let foreign = values.compactMap(\.self).first { value in
            !apps.contains { app in value.strings?.contains(app.rawValue) ?? false }
        }
        guard let foreign else { return [] }
        return [
            Rule.clipParentForeign.finding(
                "The App Clip claims \(key) “\(foreign.inWords)”, but the app that contains it is "
                    + "\(quoted: apps[0].rawValue).",
                at: code.path,
            )
        ]
    }

    private static func several(_ clips: [AppBundle]) -> [Finding] {
        clips.dropFirst().map { clip in
            Rule.clipSeveral.inference(
                "The app has \(clips.count) App Clips; Apple describes one, and "
                    + "\(quoted: clips[0].path) is the first.",
                at: clip.path,
            )
        }
    }

    private static let key = "com.apple.developer.parent-application-identifiers"
}

extension Rule {
    static let clip = [clipParentMissing, clipParentForeign, clipSeveral]

    fileprivate static let clipParentMissing = Rule(
        "clip.parent-missing",
        .blocks,
        "An App Clip does not name its app",
        fix:
            "Let Xcode sign the App Clip: it adds the Parent Application Identifiers entitlement; "
            + "other tools need it in the clip's entitlements file.",
        phone: .notNow,
        causes: [.appClipMisplaced],
    )
    fileprivate static let clipParentForeign = Rule(
        "clip.parent-foreign",
        .blocks,
        "An App Clip names another app",
        fix: "Set com.apple.developer.parent-application-identifiers of the App Clip to the app's "
            + "identifier with its prefix, and sign again.",
        phone: .notNow,
        causes: [.appClipMisplaced],
    )
    fileprivate static let clipSeveral = Rule(
        "clip.several",
        .warns,
        "The app has several App Clips",
        fix: "Keep only one App Clip in the app.",
        causes: [.appClipMisplaced],
    )
}
