import Foundation

/// A store like one after years of use.
///
/// One release is published, and its documents are copied under other names. Except for the IPA and its
/// icons, which the copies share, this is what that many publishes would leave; `ota store verify` finds no
/// problem in it.
struct Catalogue {
    struct Size {
        /// The number of apps, each with a release that has its own report and profile.
        let apps: Int
        /// The number of releases of the first app.
        let releases: Int
        let devices: Int
        /// The number of lines in this month's journal.
        let lines: Int
    }

    static let grown = Size(apps: 1000, releases: 100_000, devices: 10_000, lines: 1_000_000)
    static let young = Size(apps: 1, releases: 10, devices: 10, lines: 10)

    let store: String
    /// The first release of the first app.
    let publication: Publication

    /// Fills a store, or uses one of the same size that another benchmark has filled.
    init(_ size: Size, on bench: Workbench) throws {
        store = bench.path("catalogue-\(size.apps)")
        let isFilled = FileManager.default.fileExists(atPath: store)
        publication = try bench.publish(Self.build(on: bench), into: store)
        guard !isFilled else { return }
        bench.say("filling a catalogue of \(size.apps) apps and \(size.releases) releases")
        try addReleases(size.releases)
        try addApps(size.apps, on: bench)
        try addDevices(size.devices, on: bench)
        try addJournal(size.lines, apps: size.apps)
        try bench.run(bench.ota, "store", "verify", "--quick", "--store", store, limit: 400)
    }

    /// A build whose profile has as many devices as Apple allows for one family.
    private static func build(on bench: Workbench) throws -> String {
        let made = bench.path("catalogue.ipa")
        guard !FileManager.default.fileExists(atPath: made) else { return made }
        let devices = (1...100).flatMap { ["--device", Self.identifier(ofDevice: $0)] }
        return try bench.sample("catalogue", devices)
    }

    static func identifier(ofDevice number: Int) -> String {
        String(format: "00008120-%016X", number)
    }

    /// The bundle identifier of an app; the first one is the published app's.
    func app(_ number: Int) -> String {
        number == 0 ? publication.app : "com.example.bench-\(number)"
    }

    /// The first string under a key in a JSON document.
    func value(of key: String, in document: String) -> String? {
        guard let name = document.firstRange(of: "\"\(key)\"") else { return nil }
        let rest = document[name.upperBound...].drop { $0 == " " || $0 == ":" }
        return rest.first == "\"" ? String(rest.dropFirst().prefix { $0 != "\"" }) : nil
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(store)/\(name)", encoding: .utf8)
    }

    /// Writes a file with the modes that the store uses.
    func write(_ text: String, to name: String) throws {
        let path = "\(store)/\(name)"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        // Without a temporary file and syncing, with which the store writes: that would take minutes.
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Changes a register, which has a single entry before.
    func changeRegister(_ name: String, _ change: (inout [String: Any]) throws -> Void) throws {
        let bytes = Data(try read(name).utf8)
        guard var register = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        else { throw BenchmarkFailure.unexpected(program: "ota", output: name) }
        try change(&register)
        let changed = try JSONSerialization.data(
            withJSONObject: register,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes],
        )
        try write(String(decoding: changed, as: UTF8.self), to: name)
    }
}
