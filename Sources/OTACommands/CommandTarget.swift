import APIDocuments
import Administration
import MirrorBuilds
import OTAClient
import Releases

/// The target of a command: a store on this machine, or a running server.
enum CommandTarget: Sendable {
    case store(LocalAdministration)
    case server(RemoteAdministration)

    /// Performs an action on the store, or has the server perform it.
    func perform<Performed: StoreAction>(_ action: Performed) async throws -> Performed.Answer
    where Performed.Answer: Decodable {
        switch self {
        case .store(let store): try await store.takingBackNewStore { try store.perform(action) }
        case .server(let server): try await server.perform(action)
        }
    }

    /// Does the same for an action that waits for another server.
    func perform<Performed: WaitingAction>(_ action: Performed) async throws -> Performed.Answer
    where Performed.Answer: Decodable {
        switch self {
        case .store(let store):
            try await store.takingBackNewStore { try await store.perform(action) }
        case .server(let server): try await server.perform(action)
        }
    }

    /// The readable apps in use, or the archived ones, from all pages.
    func apps(archived: Bool = false) async throws -> AppsDocument {
        try await AppsDocument.whole(archived) { try await perform($0) }
    }

    /// The devices in use, or all of them, from all pages; with the slots of the last page.
    func devices(all: Bool) async throws -> DevicesDocument {
        var devices: [DeviceEntry] = []
        var page = try await perform(ListDevices(all: all))
        while let next = page.next {
            devices += page.devices
            page = try await perform(ListDevices(all: all, after: next))
        }
        return DevicesDocument(devices: devices + page.devices, slots: page.slots)
    }

    /// The verdicts of a release for all devices, from all pages.
    func verdicts(of release: String, of app: String) async throws -> RegisterDocument {
        var verdicts = try await perform(ShowVerdicts(of: release, of: app))
        while let next = verdicts.next {
            verdicts.add(try await perform(ShowVerdicts(of: release, of: app, after: next)))
        }
        return verdicts
    }

    /// All profiles, from all pages.
    func profiles() async throws -> ProfilesDocument {
        var profiles: [ProfileEntry] = []
        var page = try await perform(ListProfiles())
        while let next = page.next {
            profiles += page.profiles
            page = try await perform(ListProfiles(after: next))
        }
        return ProfilesDocument(profiles: profiles + page.profiles)
    }

    /// The URL at which testers reach the server; nil if the store does not have it yet.
    func baseURL() async throws -> BaseURL? {
        switch self {
        case .store(let store): try store.baseURL()
        case .server(let server): try await BaseURL(server.perform(ShowServer()).baseURL)
        }
    }

    /// Returns a build's log from an offset on, at most 1 MiB.
    func log(of build: Int, _ mirror: String, from offset: Int) async throws -> LogPiece {
        switch self {
        case .store(let store):
            return try store.log(of: build, mirror, from: offset)
        case .server(let server):
            let piece = try await server.log(of: build, mirror, from: offset)
            return LogPiece(bytes: piece.bytes, isOver: piece.isOver)
        }
    }

    /// Writes a file that a build has kept to a path.
    ///
    /// - Returns: the number of bytes.
    func saveArtifact(
        _ path: String,
        of build: Int,
        _ mirror: String,
        to file: String,
    ) async throws -> Int {
        switch self {
        case .store(let store):
            try store.saveArtifact(path, of: build, mirror, to: file)
        case .server(let server):
            try await server.saveArtifact(path, of: build, mirror, to: file)
        }
    }
}

extension LocalAdministration {
    /// Runs `body`; if it fails, removes a store that was created for it.
    fileprivate func takingBackNewStore<Result>(
        _ body: () async throws -> Result
    ) async throws
        -> Result
    {
        do {
            return try await body()
        } catch {
            takeBackStore?()
            throw error
        }
    }
}

extension AppsDocument {
    /// The apps of all pages; the unreadable ones are those of the last page.
    static func whole(
        _ archived: Bool,
        of page: (ListApps) async throws -> AppsDocument,
    ) async throws -> AppsDocument {
        var apps: [AppDescription] = []
        var last = try await page(ListApps(archived: archived))
        while let next = last.next {
            apps += last.apps
            last = try await page(ListApps(after: next, archived: archived))
        }
        return AppsDocument(apps: apps + last.apps, unreadable: last.unreadable)
    }
}
