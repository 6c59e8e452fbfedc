import Foundation
import HTTPServing
import Releases

/// The running installs, in bounded memory.
struct TrackedInstalls {
    /// The most phones tracked at once.
    static let mostPhones = 2048
    /// The most attempts recorded in an hour of each device, and of all unknown devices together: anyone
    /// with a link can cause those.
    static let mostNotes = 1000
    private static let mostPieces = 256

    /// A response that is being sent.
    struct Download: Hashable, Sendable {
        fileprivate let phone: InstallingPhone
        fileprivate let number: Int
    }

    private struct Running {
        let start: Int
        let transfer: Transfer
    }

    private struct Install {
        let began: Date
        var heard: Date
        var size: Int?
        var fetched = RangeSet<Int>()
        var running: [Int: Running] = [:]
        /// The percentage in the last progress event.
        var lastSent = -1

        var count: Int {
            let running = running.values.reduce(0) { $0 + $1.transfer.bytes }
            let sum = fetched.ranges.reduce(0) { $0 + $1.count } + running
            return min(sum, size ?? sum)
        }

        var isWhole: Bool {
            guard let size, let first = fetched.ranges.first else { return false }
            return first.lowerBound == 0 && first.upperBound >= size
        }
    }

    private var installs: [InstallingPhone: Install] = [:]
    private var next = 0
    private var hour = Date.distantPast
    /// Recorded attempts by device; nil for all unknown devices.
    private var notes: [String?: Int] = [:]

    init() {}

    var count: Int { installs.count }

    /// - Returns: whether this is a new attempt.
    mutating func asked(_ phone: InstallingPhone, at date: Date) -> Bool {
        if installs[phone] != nil {
            installs[phone]?.heard = date
            return false
        }
        guard makeRoom(for: phone) else { return false }
        installs[phone] = Install(began: date, heard: date)
        return true
    }

    mutating func began(
        _ phone: InstallingPhone,
        _ range: Range<Int>,
        of size: Int,
        _ transfer: Transfer,
        at date: Date,
    ) -> Download? {
        if installs[phone] == nil {
            guard makeRoom(for: phone) else { return nil }
            installs[phone] = Install(began: date, heard: date)
        }
        // A phone that requests the rest has the beginning from an earlier attempt.
        if installs[phone]?.size == nil, range.lowerBound > 0 {
            installs[phone]?.fetched.insert(contentsOf: 0..<range.lowerBound)
        }
        next += 1
        installs[phone]?.size = size
        installs[phone]?.heard = date
        installs[phone]?.running[next] = Running(start: range.lowerBound, transfer: transfer)
        return Download(phone: phone, number: next)
    }

    mutating func ended(_ download: Download, at date: Date) {
        guard var install = installs[download.phone],
            let running = install.running.removeValue(forKey: download.number)
        else { return }
        let sent = running.transfer.bytes
        if sent > 0, install.fetched.ranges.count < Self.mostPieces {
            install.fetched.insert(contentsOf: running.start..<running.start + sent)
        }
        install.heard = date
        installs[download.phone] = install
    }

    /// Returns the progress of a phone's running download, in bytes.
    func progress(of phone: InstallingPhone) -> (fetched: Int, size: Int)? {
        guard let install = installs[phone], let size = install.size, !install.running.isEmpty
        else { return nil }
        return (install.count, size)
    }

    /// Returns the downloads whose percentage has changed since the last call.
    mutating func advanced() -> [(phone: InstallingPhone, fetched: Int, size: Int)] {
        var found: [(phone: InstallingPhone, fetched: Int, size: Int)] = []
        for (phone, install) in installs where phone.device != nil && !install.running.isEmpty {
            guard let size = install.size, size > 0 else { continue }
            let percent = install.count * 100 / size
            guard percent != install.lastSent else { continue }
            installs[phone]?.lastSent = percent
            found.append((phone, install.count, size))
        }
        return found
    }

    /// Removes and returns the attempts that are over: the IPA was sent completely, or the phone is
    /// silent.
    mutating func takeOver(at date: Date) -> [(phone: InstallingPhone, attempt: InstallAttempt)] {
        take(at: date) { install in
            install.running.isEmpty
                && (install.isWhole
                    || date.timeIntervalSince(install.heard) >= InstallTracker.quietTime)
        }
    }

    /// Removes and returns all attempts, except of phones that only read the manifest and might continue.
    mutating func takeAll(at date: Date) -> [(phone: InstallingPhone, attempt: InstallAttempt)] {
        take(at: date) { _ in true }.filter { $0.attempt.outcome != .manifestOnly }
    }

    private mutating func take(
        at date: Date,
        where isOver: (Install) -> Bool,
    ) -> [(phone: InstallingPhone, attempt: InstallAttempt)] {
        guard !installs.isEmpty else { return [] }
        var over: [(phone: InstallingPhone, attempt: InstallAttempt)] = []
        for (phone, install) in installs where isOver(install) {
            installs[phone] = nil
            guard mayNote(phone.device, at: date) else { continue }
            let outcome: InstallAttempt.Outcome =
                install.isWhole ? .downloaded : install.size == nil ? .manifestOnly : .cutShort
            let attempt = InstallAttempt(
                app: phone.app,
                release: phone.release,
                device: phone.device,
                person: phone.person,
                began: install.began,
                ended: install.heard,
                outcome: outcome,
                sent: install.count,
            )
            over.append((phone, attempt))
        }
        return over.sorted { $0.attempt.ended < $1.attempt.ended }
    }

    private mutating func mayNote(_ device: String?, at date: Date) -> Bool {
        if date.timeIntervalSince(hour) >= 3600 || date < hour {
            hour = date
            notes = [:]
        }
        notes[device, default: 0] += 1
        return notes[device, default: 0] <= Self.mostNotes
    }

    /// Drops the unknown phone that was silent longest, if there is no room.
    private mutating func makeRoom(for phone: InstallingPhone) -> Bool {
        guard installs.count >= Self.mostPhones else { return true }
        let oldest = installs.filter { $0.key.device == nil && $0.value.running.isEmpty }
            .min { $0.value.heard < $1.value.heard }
        guard let oldest else { return false }
        installs[oldest.key] = nil
        return true
    }
}
