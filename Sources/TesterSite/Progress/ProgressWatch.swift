import Releases
import Synchronization

/// Tells whether a device has come farther since the last look.
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
    ///   - reader: says what is done for devices.
    ///   - find: how far a device is; nil where nothing can be said.
    init(_ reader: ProgressReader, _ find: @escaping @Sendable (Device) throws -> DeviceWay?) {
        self.reader = reader
        self.find = find
    }

    /// Notes how far the device is now.
    func start(with device: Device?) throws {
        if let device { _ = try isChanged(for: device, isAnyway: true) }
    }

    /// What a page that is as new as the last look says in the address of its stream.
    var mark: String? {
        last.withLock(\.self).map { "\($0.generation)-\($0.device.state.rawValue)" }
    }

    /// Whether it has come farther, or is told something else.
    ///
    /// - Parameters:
    ///   - device: as it is now.
    ///   - isAnyway: whether it is checked although neither device nor work has changed, as when
    ///     something was published.
    /// - Returns: false for the same as at the last look.
    /// - Throws: what `find` throws, and `StoreFailure`.
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
