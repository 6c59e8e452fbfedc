import Bundles
import Foundation
import Identifiers
import Inspection
import Releases
import Versions

/// The table at the end of an install page.
enum BuildFacts {
    static func facts(
        of build: InstallPage.Build,
        at date: Date,
        in words: Words,
    ) -> [InstallPage.Fact] {
        let release = build.release
        var facts = [
            InstallPage.Fact(words.text("fact.version"), release.version),
            InstallPage.Fact(words.text("fact.build"), release.build),
            InstallPage.Fact(
                words.text("fact.published"),
                words.day(release.published),
                at: release.published,
            ),
        ]
        if let signing = release.lastSigning {
            facts.append(
                InstallPage.Fact(
                    words.text("fact.signed-again"),
                    words.day(signing.date),
                    at: signing.date,
                )
            )
        }
        facts += [
            InstallPage.Fact(words.text("fact.size"), words.size(release.size)),
            InstallPage.Fact(words.text("fact.devices"), devices(release, in: words)),
        ]
        if let channel = build.channel {
            facts.append(InstallPage.Fact(words.text("fact.channel"), channel.rawValue))
        }
        facts += profileFacts(build.report, in: words)
        facts.append(expiry(release.installsUntil, at: date, in: words))
        if release.provenance == nil { facts.append(contentsOf: source(of: release, in: words)) }
        if build.title != release.name {
            facts.append(InstallPage.Fact(words.text("fact.name"), release.name))
        }
        facts.append(
            InstallPage.Fact(words.text("fact.identifier"), release.bundleIdentifier.rawValue)
        )
        return facts
    }

    /// Returns the supported devices, as in `iPhone and iPad with iOS 15.0 or later`.
    static func devices(_ release: Release, in words: Words) -> String {
        let families = release.families.map(\.title)
        let names = families.isEmpty ? "iPhone" : words.list(families)
        guard let minimum = release.minimumOS else { return names }
        return words.text(
            "fact.devices.system",
            ["families": names, "version": minimum],
        )
    }

    private static func profileFacts(
        _ report: InspectionReport,
        in words: Words,
    ) -> [InstallPage.Fact] {
        guard let profile = report.profile else { return [] }
        var facts = [InstallPage.Fact(words.text("fact.team"), profile.teamName)]
        if let devices = profile.devices, profile.type.isLimitedToListedDevices {
            facts.append(
                InstallPage.Fact(
                    words.text("fact.for"),
                    words.text(
                        "fact.for.listed",
                        count: devices.count,
                        ["type": profile.type.title],
                    ),
                )
            )
        } else {
            facts.append(
                InstallPage.Fact(
                    words.text("fact.for"),
                    words.text("fact.for.type", ["type": profile.type.title]),
                )
            )
        }
        return facts
    }

    /// Returns what is known without a signed statement, which has its own sentence.
    private static func source(
        of release: Release,
        in words: Words,
    ) -> [InstallPage.Fact] {
        [
            release.tag.map { InstallPage.Fact(words.text("fact.tag"), $0) },
            release.commit.map {
                InstallPage.Fact(words.text("fact.commit"), $0.shortCommit)
            },
        ].compactMap(\.self)
    }

    private static func expiry(
        _ until: Date?,
        at date: Date,
        in words: Words,
    ) -> InstallPage.Fact {
        guard let until else {
            return InstallPage.Fact(words.text("fact.until"), words.text("fact.until.never"))
        }
        let days = Wording.days(from: date, to: until)
        let tone: String? = until <= date ? "bad" : days <= 30 ? "warn" : nil
        return InstallPage.Fact(
            words.text(until <= date ? "fact.expired" : "fact.until"),
            words.day(until),
            tone: tone,
            at: until,
        )
    }
}
