import Bundles
import Foundation
import Identifiers
import Releases

extension NoticeWriter {
    /// Returns the notice that an app's newest build lacks devices that were added since.
    func notice(of devices: MissingDevices, missingIn release: Release) -> Notice {
        let app = release.bundleIdentifier
        let build =
            "\(title(of: app)) \(Self.plain(release.version)) (\(Self.plain(release.build)))"
        let count = Wording.count(devices.count, "device")
        let names = Self.list(
            first: devices.first(Self.mostNames).map { Self.plain($0.name) },
            of: devices.count,
        )
        let these = devices.count == 1 ? "It" : "They"
        var notice = notice(
            .devicesMissing,
            "\(build) is missing \(count)",
            "\(count) of the team cannot install the newest build of \(title(of: app)): \(names). "
                + "\(these) can once you publish a build with a new profile.",
            about: [app],
        )
        notice.release = Notice.Build(of: release, channel: nil)
        notice.deviceCount = devices.count
        notice.link = apps[app].flatMap { app in links?.admin { $0.app(app.slug) } }
        return notice
    }

    /// Returns the notice that a device family's slots are running out.
    func notice(of slots: DeviceSlots) -> Notice {
        let left = slots.limit - slots.used
        let title =
            left <= 0
            ? "No \(slots.family.title) slots left"
            : "\(slots.used) of \(slots.limit) \(slots.family.title) slots are used"
        let reset =
            slots.resets.map {
                " Disabled devices free their slots on \(Wording.day($0))."
            } ?? ""
        let team = slots.team.map { " of the team \(Self.plain($0))" } ?? ""
        var notice = notice(
            .slotsLow,
            title,
            "\(slots.used) of \(slots.limit) slots for \(slots.family.title)\(team) are used this "
                + "membership year.\(reset)",
        )
        notice.slots = Notice.Slots(
            family: slots.family.rawValue,
            team: slots.team.map(Self.plain),
            used: slots.used,
            limit: slots.limit,
            resets: slots.resets,
        )
        notice.link = links?.admin(\.devices)
        return notice
    }

    /// The notice that `ota webhooks test` sends.
    func test(by actor: String) -> Notice {
        notice(
            .test,
            "A test of this webhook",
            "\(Self.plain(actor)) sent this test to check that messages arrive here.",
        )
    }
}
