import Releases
import Synchronization

/// Detects changes of a device's progress between checks.
final class ProgressWatch: Sendable {
    private struct Seen {
        let device: Device
        let generation: Int
        let way: DeviceWay?
    }

    private let reader: ProgressReader
    private let find: @Sendable (Device) throws -> DeviceWay?
    private let last = Mutex<Seen?>(nil)

    /// - Parameters:
    ///   - reader: reads the work for devices.
    ///   - find: returns a device's progress; nil if it is unknown.
    init(_ reader: ProgressReader, _ find: @escaping @Sendable (Device) throws -> DeviceWay?) {
        self.reader = reader
        self.find = find
    }

    /// Records the device's current progress.
    func start(with device: Device?) throws {
        if let device { _ = try isChanged(for: device, isAnyway: true) }
    }

    /// The value of the `work` parameter of a page that is as new as the last check.
    var mark: String? {
        last.withLock(\.self).map { "\($0.generation)-\($0.device.state.rawValue)" }
    }

    /// Returns whether the progress has changed since the last check.
    ///
    /// - Parameters:
    ///   - device: the device, as it is now.
    ///   - isAnyway: whether to check even if neither the device nor the work has changed, for example
    ///     because a build was published.
    /// - Returns: false if the progress is the same as at the last check.
    /// - Throws: the error of `find`, and `StoreFailure`.
    func isChanged(for device: Device, isAnyway: Bool = false) throws -> Bool {
        let generation = try reader.work().generation
        let before = last.withLock(\.self)
        guard isAnyway || before?.device != device || before?.generation != generation else {
            return false
        }
        let now = Seen(device: device, generation: generation, way: try find(device))
        return last.withLock { last in
            defer { last = now }
            return last?.way != now.way
        }
    }
}
