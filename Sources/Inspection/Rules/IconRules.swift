import Bundles
import Bytes

/// Checks the icon that the install page and the installation show.
enum IconRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let broken = input.icon.broken.map {
            Rule.iconUnreadable.finding(
                "The icon cannot be read: \(PrintableText(escaping: $0.reason)).",
                at: $0.place,
            )
        }
        guard input.icon.origin == .placeholder else { return broken }
        return broken + [
            Rule.iconMissing.finding(
                "No PNG icon was found; the install page shows an initial instead.",
                at: input.application.path,
            )
        ]
    }
}

extension Rule {
    static let icon = [iconMissing, iconUnreadable]

    fileprivate static let iconMissing = Rule(
        "icon.missing",
        .notes,
        "No icon for the install page",
        fix: "Add an AppIcon set to the asset catalogue and name it in "
            + "ASSETCATALOG_COMPILER_APPICON_NAME.",
    )
    fileprivate static let iconUnreadable = Rule(
        "icon.unreadable",
        .notes,
        "An icon is not a readable PNG",
        fix: "Replace the file with a PNG and build again.",
    )
}
