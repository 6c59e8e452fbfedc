import Bundles
import Bytes
import Identifiers
import PropertyLists

/// Checks the extensions of a browser engine and their entitlements, since iOS 17.4.
///
/// The installer accepts each entitlement only for its own extension point, and none of these extension
/// points without it (MIInstallerErrorDomain 205 to 207).
extension PluginRules {
    static func browserEngine(of plugin: AppExtension, in input: InspectionInput) -> [Finding] {
        guard let code = EntitledCode(of: plugin.bundle, in: input) else { return [] }
        let point = plugin.point ?? ""
        for claims in code.claims {
            for engine in BrowserEnginePart.allCases {
                let isClaimed = claims[engine.entitlement]?.boolean == true
                guard isClaimed != (point == engine.point) else { continue }
                return [
                    isClaimed
                        ? Rule.browserEngineForeign.finding(
                            "The extension claims \(engine.entitlement), but its point is "
                                + "\(quoted: point), not \(quoted: engine.point).",
                            at: code.path,
                        )
                        : Rule.browserEngineMissing.finding(
                            "The extension is for \(quoted: point), but its code does not claim "
                                + "\(engine.entitlement).",
                            at: code.path,
                        )
                ]
            }
            if let transfer = transfer(in: claims, of: plugin, code) { return [transfer] }
        }
        return []
    }

    /// The value must be the app's bundle identifier, because memory is accounted to the app.
    private static func transfer(
        in claims: [String: PropertyList],
        of plugin: AppExtension,
        _ code: EntitledCode,
    ) -> Finding? {
        guard let part = BrowserEnginePart.allCases.first(where: { $0.point == plugin.point }),
            let key = part.transfer, let value = claims[key]?.string,
            let parent = plugin.host.info.bundleIdentifier?.rawValue, value != parent
        else { return nil }
        return Rule.browserEngineTransfer.finding(
            "The extension claims \(key) “\(PrintableText(escaping: value, limit: 300))”, but the "
                + "app's bundle identifier is \(quoted: parent).",
            at: code.path,
        )
    }
}

/// One of the three processes of a browser engine.
private enum BrowserEnginePart: CaseIterable {
    case content, networking, rendering

    var point: String {
        switch self {
        case .content: "com.apple.web-browser-engine.content"
        case .networking: "com.apple.web-browser-engine.networking"
        case .rendering: "com.apple.web-browser-engine.rendering"
        }
    }

    var entitlement: String {
        switch self {
        case .content: "com.apple.developer.web-browser-engine.webcontent"
        case .networking: "com.apple.developer.web-browser-engine.networking"
        case .rendering: "com.apple.developer.web-browser-engine.rendering"
        }
    }

    /// The entitlement that lets the process's memory be accounted to the app.
    var transfer: String? {
        switch self {
        case .content: "com.apple.developer.memory.transfer-accept"
        case .networking: nil
        case .rendering: "com.apple.developer.memory.transfer-send"
        }
    }
}

extension Rule {
    static let browserEngine = [
        browserEngineForeign, browserEngineMissing, browserEngineTransfer,
    ]

    private static let browserEngineFix =
        "Give each extension of the browser engine the entitlement of its own point and no other, "
        + "and sign again."

    fileprivate static let browserEngineForeign = Rule(
        "plugin.browser-engine-foreign",
        .blocks,
        "An extension claims the browser engine entitlement of another point",
        fix: browserEngineFix,
        phone: .notNow,
        causes: [.browserEngineEntitlements],
    )
    fileprivate static let browserEngineMissing = Rule(
        "plugin.browser-engine-missing",
        .blocks,
        "An extension of a browser engine lacks its entitlement",
        fix: browserEngineFix,
        phone: .notNow,
        causes: [.browserEngineEntitlements],
    )
    fileprivate static let browserEngineTransfer = Rule(
        "plugin.browser-engine-transfer",
        .blocks,
        "An extension of a browser engine transfers memory to another app",
        fix:
            "Set com.apple.developer.memory.transfer-accept and transfer-send to the app's bundle "
            + "identifier, and sign again.",
        phone: .notNow,
        causes: [.browserEngineEntitlements],
    )
}
