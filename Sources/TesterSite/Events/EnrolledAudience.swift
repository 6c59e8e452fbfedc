import Identifiers
import Releases
import SiteServices
import Store

/// A browser whose device has enrolled, on the page that shows the device's progress: it receives only
/// that this has changed.
final class EnrolledAudience: EventAudience {
    private let visit: TesterRequest
    private let site: Site
    private let watch: ProgressWatch

    /// - Parameters:
    ///   - visit: the request; its cookie identifies the device.
    ///   - slug: the app that the device was invited to; nil for none.
    ///   - progress: reads the device's progress.
    ///   - site: the shared services.
    /// - Throws: ``Refusal/notFound`` for a browser without an enrolled device.
    init(
        _ visit: TesterRequest,
        _ slug: Slug?,
        _ progress: ProgressReader,
        in site: Site,
    ) throws {
        guard let device = try visit.device() else { throw Refusal.notFound }
        self.visit = visit
        self.site = site
        watch = ProgressWatch(progress) { device in
            let app = try slug.flatMap { try site.store.app(slug: $0) }
            return try progress.progress(ofEnrolled: device, for: app)
        }
        try watch.start(with: device)
    }

    /// Makes the page render again without its device.
    func farewell() throws -> String? {
        try visit.device() == nil ? Self.changed : nil
    }

    var hearsAll: Bool { false }
    var waits: Bool { true }
    var mark: String? { watch.mark }

    func text(of event: EventFeed.Event, isMissed: Bool) throws -> String? {
        guard event.activity.event.isOfReleases || event.activity.event.isOfDevices else {
            return nil
        }
        guard try isMissed || isChanged() else { return nil }
        return "id: \(event.cursor)\n\(Self.changed)"
    }

    func look() throws -> String? {
        try isChanged(isAnyway: false) ? Self.changed : nil
    }

    private func isChanged(isAnyway: Bool = true) throws -> Bool {
        guard let device = try visit.deviceIfKnown() else { return false }
        return try watch.isChanged(for: device, isAnyway: isAnyway)
    }

    private static let changed = "event: changed\ndata: {}\n\n"
}
