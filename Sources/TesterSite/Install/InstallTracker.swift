import Bundles
package import Foundation
import HTTPServing
import Identifiers
package import Logging
import NIOPosix
import Releases
import ServiceLifecycle
package import Store
import Synchronization

/// Tracks what phones download, and records an attempt once the phone is silent.
///
/// Memory use is bounded, and so is the number of records that anonymous clients can cause.
package final class InstallTracker: Service, Sendable {
    /// Seconds of silence after which an attempt is over: iOS asks the tester between the manifest and
    /// the IPA, and resumes by itself when the network is back.
    static let quietTime: TimeInterval = 120
    private static let interval = Duration.milliseconds(400)

    private let store: OTAStore
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let book = Mutex(TrackedInstalls())
    private let listeners = Mutex(Listeners())

    /// News of one device's install.
    enum News: Equatable, Sendable {
        /// It started or ended, so that the page has to change.
        case changed
        case progress(fetched: Int, size: Int)
    }

    private struct Listeners {
        var next = 0
        var all: [Int: (device: String, app: BundleIdentifier, hear: @Sendable (News) -> Void)] =
            [:]
    }

    /// - Parameters:
    ///   - store: records attempts.
    ///   - clock: returns the current time.
    ///   - logger: logs failures.
    package init(store: OTAStore, clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Records that a phone read the manifest.
    func asked(_ phone: InstallingPhone) {
        let isNew = book.withLock { $0.asked(phone, at: clock()) }
        if isNew { tell(phone, .changed) }
    }

    /// Records that a phone is downloading a part of the IPA; `transfer` counts the bytes.
    ///
    /// - Returns: the argument for ``ended(_:)``; nil if there is no room to track the download.
    func began(
        _ phone: InstallingPhone,
        _ range: Range<Int>,
        of size: Int,
        counting transfer: Transfer,
    ) -> TrackedInstalls.Download? {
        let download = book.withLock { $0.began(phone, range, of: size, transfer, at: clock()) }
        tell(phone, .changed)
        return download
    }

    func ended(_ download: TrackedInstalls.Download) {
        book.withLock { $0.ended(download, at: clock()) }
    }

    /// Returns the bytes of a release's IPA that a device has, while it is downloading it.
    func fetched(_ phone: InstallingPhone) -> Int? {
        book.withLock { $0.progress(of: phone)?.fetched }
    }

    /// Passes news of a device's installs of an app to `hear`, until the returned closure is called.
    func listen(
        device: String,
        app: BundleIdentifier,
        _ hear: @escaping @Sendable (News) -> Void,
    ) -> @Sendable () -> Void {
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = (device, app, hear)
            return listeners.next
        }
        return { [weak self] in
            self?.listeners.withLock { _ = $0.all.removeValue(forKey: number) }
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                self.tellProgress()
                await self.note(self.book.withLock { $0.takeOver(at: self.clock()) })
            }
        }
        // By now the downloads have ended; unfinished ones are recorded with the bytes that were sent.
        await note(book.withLock { $0.takeAll(at: clock()) })
        listeners.withLock { $0.all = [:] }
    }

    private func note(_ attempts: [(phone: InstallingPhone, attempt: InstallAttempt)]) async {
        for (phone, attempt) in attempts {
            do {
                let store = store
                try await NIOThreadPool.singleton.runIfActive { try store.record(attempt) }
            } catch {
                logger.error("an install could not be recorded", metadata: ["reason": "\(error)"])
            }
            tell(phone, .changed)
        }
    }

    private func tellProgress() {
        guard listeners.withLock({ !$0.all.isEmpty }) else { return }
        for (phone, fetched, size) in book.withLock({ $0.advanced() }) {
            tell(phone, .progress(fetched: fetched, size: size))
        }
    }

    private func tell(_ phone: InstallingPhone, _ news: News) {
        guard let device = phone.device else { return }
        let ears = listeners.withLock { listeners in
            listeners.all.values.filter { $0.device == device && $0.app == phone.app }.map(\.hear)
        }
        for hear in ears { hear(news) }
    }
}

/// A phone that installs one release, as far as the server can distinguish it from others.
struct InstallingPhone: Hashable, Sendable {
    let app: BundleIdentifier
    let release: ReleaseIdentifier
    /// The reference to its device; nil if the device is unknown.
    let device: String?
    /// The name of the person who signed in to get the link; nil for none.
    let person: String?
    /// Its address; nil if the device is known.
    private let address: String?

    init(_ release: Release, device: String?, person: String? = nil, address: String) {
        self.init(
            release.identifier,
            of: release.bundleIdentifier,
            device: device,
            person: person,
            address,
        )
    }

    init(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        device: String?,
        person: String? = nil,
        _ address: String = "",
    ) {
        self.app = app
        self.release = release
        self.device = device
        // A device is one phone, whichever person uses it.
        self.person = device == nil ? person : nil
        self.address = device == nil ? address : nil
    }
}
