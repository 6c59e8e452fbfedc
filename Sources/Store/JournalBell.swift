import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reports when any process of this machine writes a file in a folder (inotify(7)).
///
/// It does not report what another machine writes into a shared folder, so a caller that must miss nothing
/// also polls.
///
/// Unchecked, because Dispatch does not declare that its sources may be cancelled on any thread.
final class JournalBell: @unchecked Sendable {
    #if os(Linux)
    private let source: any DispatchSourceRead
    #endif

    /// Starts watching; nil if there is no such folder, and on systems without inotify.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder.
    ///   - queue: where `ring` is called.
    ///   - ring: called after one write, or after several at about the same time.
    init?(_ folder: String, on queue: DispatchQueue, _ ring: @escaping @Sendable () -> Void) {
        #if os(Linux)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let wanted = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
        guard unsafe inotify_add_watch(descriptor, folder, wanted | UInt32(IN_ONLYDIR)) >= 0 else {
            close(descriptor)
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            Self.drain(descriptor)
            ring()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        #else
        return nil
        #endif
    }

    #if os(Linux)
    deinit {
        source.cancel()
    }

    /// Discards the events: which file was written does not matter, because the reader checks them all.
    private static func drain(_ descriptor: Int32) {
        var events = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &events, events.count) > 0 {}
    }
    #endif
}
