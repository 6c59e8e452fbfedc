import Bundles
import Foundation
import Identifiers
import Inspection
import Releases

/// The table at the end of an install page.
enum BuildFacts {
    static func facts(of build: InstallPage.Build, at date: Date) -> [InstallPage.Fact] {
        let release = build.release
        var facts = [
            InstallPage.Fact("Version", release.version),
            InstallPage.Fact("Build", release.build),
            InstallPage.Fact("Published", Wording.day(release.published)),
        ]
        if let signing = release.lastSigning {
            facts.append(InstallPage.Fact("Signed again", Wording.day(signing.date)))
        }
        facts += [
            InstallPage.Fact("Size", Wording.size(release.size)),
            InstallPage.Fact("Runs on", devices(release)),
        ]
        if let channel = build.channel {
            facts.append(InstallPage.Fact("Channel", channel.rawValue))
        }
        facts += profileFacts(build.report)
        facts.append(expiry(release.installsUntil, at: date))
        if release.provenance == nil { facts.append(contentsOf: source(of: release)) }
        if build.title != release.name {
            facts.append(InstallPage.Fact("On the home screen", release.name))
        }
        facts.append(InstallPage.Fact("Identifier", release.bundleIdentifier.rawValue))
        return facts
    }

    /// `iPhone and iPad with iOS 15.0 or later`.
    static func devices(_ release: Release) -> String {
        let families = release.families.map(\.title)
        let names = families.isEmpty ? "iPhone" : families.joined(separator: " and ")
        guard let minimum = release.minimumOS else { return names }
        return "\(names) with iOS \(minimum) or later"
    }

    private static func profileFacts(_ report: InspectionReport) -> [InstallPage.Fact] {
        guard let profile = report.profile else { return [] }
        var facts = [InstallPage.Fact("Team", profile.teamName)]
        if let devices = profile.devices, profile.type.isLimitedToListedDevices {
            facts.append(
                InstallPage.Fact(
                    "For",
                    "\(Wording.count(devices.count, "listed device")), \(profile.type.title)",
                )
            )
        } else {
            facts.append(InstallPage.Fact("For", "\(profile.type.title) devices"))
        }
        return facts
    }

    /// What is known without a signed statement, which has its own sentence.
    private static func source(of release: Release) -> [InstallPage.Fact] {
        [
            release.tag.map { InstallPage.Fact("Tag", $0) },
            release.commit.map { InstallPage.Fact("Commit", String($0.prefix(12))) },
        ].compactMap(\.self)
    }

    private static func expiry(_ until: Date?, at date: Date) -> InstallPage.Fact {
        guard let until else { return InstallPage.Fact("Installs until", "no expiry") }
        let days = Wording.days(from: date, to: until)
        let tone: String? = until <= date ? "bad" : days <= 30 ? "warn" : nil
        return InstallPage.Fact(
            until <= date ? "Expired" : "Installs until",
            "\(Wording.day(until)), \(Wording.distance(to: until, from: date))",
            tone: tone,
        )
    }
}
