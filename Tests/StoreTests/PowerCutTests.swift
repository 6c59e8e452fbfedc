import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// The state after a power cut while a publisher writes.
///
/// The publisher's disk is a file; a clone of it is what a machine would find after a power cut at that
/// moment. The writers pause after each acknowledgement, because the next writes would make the former ones
/// durable. There are ten cuts for each writer, or as many as `OTA_POWER_CUTS` says.
@Suite(
    .serialized,
    .enabled(if: PowerCutDisk.isPossible, "power cuts take root, loop devices and mkfs.xfs"),
)
struct PowerCutTests {
    private static let cuts =
        ProcessInfo.processInfo.environment["OTA_POWER_CUTS"].flatMap { Int($0) } ?? 10

    @Test(arguments: ["xfs", "ext4"])
    func `a power cut loses nothing acknowledged`(format: String) async throws {
        let disk = try PowerCutDisk(format: format)
        defer { disk.remove() }
        let writer = try Writer(["publish", disk.mount + "/store", "1", "1000000", "40"])
        defer { writer.end() }
        try writer.wait(for: 1)
        for _ in 0..<Self.cuts {
            try await Task.sleep(for: .milliseconds(.random(in: 5...120)))
            writer.read()
            let acknowledged = try #require(writer.acknowledged)
            try disk.cut { folder in
                let store = try OTAStore.open(at: folder + "/store")
                let app = try #require(try store.apps().first)
                let offered = try #require(app.channels[.stable]?.rawValue)
                let number = try #require(Int(offered.dropFirst("1.0-".count)))
                #expect(number >= acknowledged)
                let problems = try store.verify().problems
                #expect(problems.isEmpty)
                #expect(
                    try store.releaseIdentifiers(of: app.bundleIdentifier).count >= acknowledged
                )
                #expect(try store.activity(count: .max).count >= acknowledged)
            }
        }
        #expect(writer.isRunning)
    }

    /// The negative control: if these cuts did not detect this writer's fault, they could not detect one of
    /// ours.
    @Test func `the campaign catches a writer that does not sync the folder`() async throws {
        let disk = try PowerCutDisk(format: "xfs")
        defer { disk.remove() }
        try FileManager.default.createDirectory(
            atPath: disk.mount + "/control",
            withIntermediateDirectories: false,
        )
        sync()
        let writer = try Writer(["control", disk.mount + "/control", "1", "1000000", "40"])
        defer { writer.end() }
        try writer.wait(for: 1)
        var caught = 0
        for _ in 0..<Self.cuts {
            try await Task.sleep(for: .milliseconds(.random(in: 5...120)))
            writer.read()
            let acknowledged = try #require(writer.acknowledged)
            try disk.cut { folder in
                let last = "\(folder)/control/\(acknowledged).json"
                let text = try? String(contentsOfFile: last, encoding: .utf8)
                if text != "release \(acknowledged)" { caught += 1 }
            }
        }
        #expect(caught > 0, "the control did not bite in \(Self.cuts) cuts: the harness is blind")
    }
}

/// A publisher in the background, whose acknowledgements are read continuously.
private final class Writer {
    private let process: Process
    private let output: FileHandle
    private var text = Data()
    private(set) var acknowledged: Int?

    init(_ arguments: [String]) throws {
        process = try Publisher.start(try #require(Publisher.path), arguments)
        output = try #require(process.standardOutput as? Pipe).fileHandleForReading
        _ = fcntl(output.fileDescriptor, F_SETFL, O_NONBLOCK)
    }

    var isRunning: Bool { process.isRunning }

    func wait(for number: Int) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while (acknowledged ?? 0) < number {
            try #require(ContinuousClock.now < deadline)
            usleep(2_000)
            read()
        }
    }

    /// Reads what was printed until now; everything was durable before it was printed.
    func read() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe Foundation.read(output.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            text.append(contentsOf: buffer[..<count])
        }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() {
            let said = String(decoding: line, as: UTF8.self)
            guard said.hasPrefix("acknowledged ") else { continue }
            acknowledged = Int(said.dropFirst("acknowledged ".count)) ?? acknowledged
        }
        text = Data(lines.last ?? Data())
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
