import Identifiers
import Releases
import SiteServices
import Store

/// A browser whose device has enrolled, on the page that says how far it is: it receives only that
/// this has changed.
final class EnrolledAudience: EventAudience {
    private let visit: TesterRequest
    private let site: Site
    private let watch: ProgressWatch

    /// - Parameters:
    ///   - visit: the request; its cookie names the device.
    ///   - slug: of the app that the device was invited to; nil for none.
    ///   - progress: says how far the device is.
    ///   - site: what all audiences share.
    /// - Throws: ``Refusal/notFound`` for a browser that no device enrolled with.
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

    /// The page is rendered again without its device.
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
