import Foundation
import Releases
import Store
import StoreFixtures

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A publisher that tests kill, or run on a full or failing disk: it prints `acknowledged N` once release N
/// is durable.
///
/// - `publish STORE FIRST COUNT [PAUSE]`: publishes releases `1.0-N`, with a pause in milliseconds after
///   each.
/// - `count STORE COUNT`: adds lines to the store's settings, with a compare-and-swap for each.
/// - `renew STORE NUMBER`: changes the register of devices, with a line of the activity.
/// - `restore FOLDER BACKUP`: restores a backup.
/// - `control FOLDER FIRST COUNT [PAUSE]`: writes files without syncing their folder, as a careless program
///   would; a test of power cuts that does not detect this proves nothing.
@main
struct CrashingPublisher {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            try run(Array(arguments))
        } catch let failure as StoreFailure {
            say("refused \(failure.id): \(failure)")
            exit(3)
        } catch {
            say("failed: \(error)")
            exit(4)
        }
    }

    private static func run(_ arguments: [String]) throws {
        if arguments.count == 3, arguments[0] == "restore" {
            try StoreRestore.run(from: arguments[2], into: arguments[1])
            return say("acknowledged 1")
        }
        guard arguments.count >= 3, let number = Int(arguments[2]) else { exit(64) }
        let path = arguments[1]
        let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : number
        let pause = arguments.count > 4 ? UInt32(arguments[4]) ?? 0 : 0
        switch arguments[0] {
        case "publish": try publish(into: path, number..<number + count, pause)
        case "renew": try renew(number, in: path)
        case "count": try self.count(in: path, count)
        case "control": try writeCarelessly(into: path, number..<number + count, pause)
        default: exit(64)
        }
    }

    private static func publish(into path: String, _ numbers: Range<Int>, _ pause: UInt32) throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let store = try OTAStore.openOrCreate(at: path, now: date)
        for number in numbers {
            var release = StoredRelease()
            release.build = "\(number)"
            release.contents = "IPA \(number)"
            release.date = date.addingTimeInterval(Double(number))
            _ = try release.publish(into: store)
            say("acknowledged \(number)")
            usleep(pause * 1000)
        }
    }

    private static func renew(_ number: Int, in path: String) throws {
        try OTAStore.open(at: path).changeDevices {
            $0.renewal = Date(timeIntervalSince1970: Double(number))
        } recording: {
            [
                Activity(
                    date: Date(timeIntervalSince1970: 1_800_000_000),
                    actor: "ana",
                    event: .settingsChanged,
                    subject: "year \(number)",
                )
            ]
        }
        say("acknowledged \(number)")
    }

    private static func count(in path: String, _ count: Int) throws {
        let store = try OTAStore.open(at: path)
        for index in 0..<count {
            try store.changeSettings { $0.anchors.append("\(getpid()) \(index)") }
        }
        say("acknowledged \(count)")
    }

    /// Creates a temporary file, syncs and renames it, but does not sync the folder.
    private static func writeCarelessly(
        into path: String,
        _ numbers: Range<Int>,
        _ pause: UInt32,
    ) throws {
        for number in numbers {
            let temporary = "\(path)/temporary"
            let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            guard file >= 0 else { exit(5) }
            let text = Array("release \(number)".utf8)
            guard unsafe write(file, text, text.count) == text.count, fsync(file) == 0,
                close(file) == 0, unsafe rename(temporary, "\(path)/\(number).json") == 0
            else { exit(5) }
            say("acknowledged \(number)")
            usleep(pause * 1000)
        }
    }

    /// Writes directly to the descriptor, so that nothing is lost in a buffer.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }
}
