package import APIDocuments
import Bundles
import Foundation
package import Identifiers
package import Inspection
package import Releases
import Versions

/// The differences between a build and an earlier one of its app.
extension ComparisonDocument {
    /// A build with its inspection report.
    package struct Side: Sendable {
        let release: Release
        let report: InspectionReport

        package init(_ release: Release, _ report: InspectionReport) {
            self.release = release
            self.report = report
        }
    }

    /// - Parameters:
    ///   - build: the build.
    ///   - other: the earlier build to compare with.
    ///   - names: the register's names of devices; nil for a user who may not see names.
    package init(of build: Side, with other: Side, names: [DeviceUDID: String]?) {
        self.init(
            app: build.release.bundleIdentifier.rawValue,
            release: build.release.identifier.rawValue,
            with: other.release.identifier.rawValue,
            changes: Self.facts(other, build) + Self.parts(other.report, build.report)
                + Self.entitlements(other.report, build.report)
                + Self.devices(other.report.profile, build.report.profile, names),
        )
    }

    private static func facts(_ before: Side, _ now: Side) -> [Change] {
        let growth = now.release.size - before.release.size
        let identities = (before.report.identity, now.report.identity)
        let families = { (identity: AppIdentity) in identity.families.joined(separator: ", ") }
        let words = { (capabilities: [String: Bool]?) in
            capabilities.map { all in
                all.keys.sorted().map { all[$0] == true ? $0 : "no \($0)" }.joined(separator: ", ")
            }
        }
        let changes: [(String, String?, String?, String?)] = [
            (
                "Archive", Wording.size(before.release.size), Wording.size(now.release.size),
                Self.signed(growth),
            ),
            ("Minimum iOS", before.release.minimumOS, now.release.minimumOS, nil),
            ("Device families", families(identities.0), families(identities.1), nil),
            (
                "Required capabilities", words(identities.0.capabilities),
                words(identities.1.capabilities), nil,
            ),
            ("Name", before.release.name, now.release.name, nil),
            ("Team", before.report.profile?.teamName, now.report.profile?.teamName, nil),
            ("Profile", before.report.profile?.name, now.report.profile?.name, nil),
            (
                "Profile type", before.report.profile?.type.title,
                now.report.profile?.type.title, nil,
            ),
        ]
        let commits = (before.release.commit, now.release.commit)
        return changes.filter { $0.1 != $0.2 || $0.3 != nil }
            .map { Change($0.0, $0.1, $0.2, change: $0.3) }
            + (commits.0 == commits.1
                ? []
                : [
                    Change(
                        "Commit",
                        commits.0?.shortCommit,
                        commits.1?.shortCommit,
                    )
                ])
    }

    /// Bundles that were added or removed, and those whose code size has changed.
    private static func parts(_ before: InspectionReport, _ now: InspectionReport) -> [Change] {
        let (old, new) = (Self.sizes(before), Self.sizes(now))
        return Set(old.keys).union(new.keys).sorted().compactMap { part in
            let (before, now) = (old[part], new[part])
            guard before != now else { return nil }
            let change: String? =
                switch (before, now) {
                case (let before?, let now?): Self.signed(now - before)
                case (nil, _): "added"
                case (_, nil): "removed"
                }
            return Change(
                part.isEmpty ? "Code of the app" : "Code of \(part)",
                before.map { Wording.size($0) },
                now.map { Wording.size($0) },
                change: change,
            )
        }
    }

    /// The bytes of code of the app, under an empty name, and of each nested bundle, by its path in the
    /// app.
    private static func sizes(_ report: InspectionReport) -> [String: Int] {
        let bytes = { (signature: SignatureSummary?) in
            (signature?.slices ?? []).reduce(0) { $0 + $1.size }
        }
        var sizes = ["": bytes(report.signature)]
        for bundle in report.nested {
            let isInside = bundle.path.hasPrefix(report.identity.path + "/")
            let path =
                isInside ? bundle.path.dropFirst(report.identity.path.count + 1) : bundle.path[...]
            sizes[String(path)] = bytes(bundle.signature)
        }
        return sizes
    }

    private static func entitlements(
        _ before: InspectionReport,
        _ now: InspectionReport,
    ) -> [Change] {
        let claims = { (report: InspectionReport) in
            let claimed = (report.signature?.entitlements ?? []).compactMap { entitlement in
                entitlement.claimed.map { (entitlement.key, $0) }
            }
            return Dictionary(claimed) { first, _ in first }
        }
        let (old, new) = (claims(before), claims(now))
        return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { key in
            Change(
                "Entitlement \(key)",
                old[key],
                new[key],
                change: old[key] == nil ? "added" : new[key] == nil ? "removed" : nil,
            )
        }
    }

    private static func devices(
        _ before: ProfileSummary?,
        _ now: ProfileSummary?,
        _ names: [DeviceUDID: String]?,
    ) -> [Change] {
        guard before?.devices != now?.devices else { return [] }
        let (old, new) = (Set(before?.devices ?? []), Set(now?.devices ?? []))
        let count = { (profile: ProfileSummary?) in
            profile.map { $0.devices.map { Wording.count($0.count, "device") } ?? "any device" }
        }
        var rows = [Change("Devices", count(before), count(now))]
        for (label, devices) in [
            ("Devices added", new.subtracting(old)), ("Devices removed", old.subtracting(new)),
        ] where !devices.isEmpty {
            rows.append(Change(label, nil, Self.words(devices, names)))
        }
        return rows
    }

    /// The names of some devices, and the number of the others.
    private static func words(
        _ devices: Set<DeviceUDID>,
        _ names: [DeviceUDID: String]?,
    ) -> String {
        guard let names else { return "\(devices.count)" }
        let known = devices.compactMap { names[$0] }.sorted()
        let shown = known.prefix(10)
        let rest = devices.count - shown.count
        guard !shown.isEmpty else { return Wording.count(rest, "device") + " not in the register" }
        return shown.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    }

    /// A size with its sign, such as `+3.1 MB`; nil for 0.
    private static func signed(_ bytes: Int) -> String? {
        bytes == 0 ? nil : (bytes > 0 ? "+" : "−") + Wording.size(abs(bytes))
    }
}
