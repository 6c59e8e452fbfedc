import Bundles
import Bytes
import Identifiers
import PropertyLists
import Zip

/// Checks the parts of a watch app.
extension WatchRules {
    static func several(_ watches: [AppBundle]) -> [Finding] {
        watches.dropFirst().map { watch in
            Complaint(
                .severalWatchApps,
                "The app contains \(counted: watches.count, "watch app"), but only one is allowed",
                at: watch.infoPlace,
            )
        }
        .findings
    }

    static func family(of watch: AppBundle) -> [Finding] {
        let families = watch.info.families
        guard !families.contains(.watch) else { return [] }
        let found =
            families.isEmpty
            ? "has no UIDeviceFamily" : "is for \(families.map(\.title).joined(separator: ", "))"
        return [
            Rule.watchFamily.finding(
                "The watch app \(found); UIDeviceFamily must have 4, Apple Watch.",
                at: watch.infoPlace,
            )
        ]
    }

    /// Since watchOS 7 a watch app is one target (`WKApplication`); before, it was a stub
    /// (`WKWatchKitApp`) with its code in a WatchKit extension.
    static func parts(of watch: AppBundle, in archive: ZipArchive) -> [Finding] {
        guard watch.info.values["WKApplication"]?.boolean != true else { return [] }
        guard watch.info.values["WKWatchKitApp"]?.boolean == true else {
            return [
                Rule.watchKindUnknown.inference(
                    "The watch app has neither WKApplication nor WKWatchKitApp, so nothing says "
                        + "that it is one.",
                    at: watch.infoPlace,
                )
            ]
        }
        let plugins = watch.nested.filter { $0.kind == .appExtension }
        var findings: [Finding] = []
        if !plugins.contains(where: { $0.info.extensionPoint == "com.apple.watchkit" }) {
            findings.append(
                Rule.watchExtensionMissing.finding(
                    "The watch app is a stub (WKWatchKitApp) without a WatchKit extension.",
                    at: watch.infoPlace,
                )
            )
        }
        if archive[watch.path / "_WatchKitStub/WK"] == nil {
            findings.append(
                Rule.watchStubMissing.inference(
                    "The watch app is a stub (WKWatchKitApp) without _WatchKitStub/WK, Apple's code "
                        + "that runs it.",
                    at: watch.path,
                )
            )
        }
        return findings + misplaced(in: watch)
    }

    /// Before watchOS 3 all other bundles belonged in the WatchKit extension.
    private static func misplaced(in watch: AppBundle) -> [Finding] {
        let minimum = watch.info.minimumOS
        guard minimum.map({ $0 < OSVersion(major: 3) }) ?? true else { return [] }
        let state = minimum.map { "watchOS \($0)" } ?? "any watchOS"
        return watch.nested.compactMap { bundle -> Complaint? in
            switch bundle.kind {
            case .appExtension where bundle.info.extensionPoint != "com.apple.watchkit":
                Complaint(
                    .watchExtensionMisplaced,
                    "The watch app supports \(state), but this extension is outside its "
                        + "WatchKit extension",
                    at: bundle.path,
                )
            case .framework:
                Complaint(
                    .watchFrameworkMisplaced,
                    "The watch app supports \(state), but this framework is outside its "
                        + "WatchKit extension",
                    at: bundle.path,
                )
            default: nil
            }
        }
        .findings
    }
}
