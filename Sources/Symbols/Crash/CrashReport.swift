package import Identifiers

/// A crash report from a device: the cause, the stack of every thread, and the loaded images.
package struct CrashReport: Sendable, Equatable {
    /// A program or library in memory.
    package struct Image: Sendable, Equatable {
        package let uuid: ImageUUID?
        package let name: String
        package let path: String
        /// An architecture such as `arm64`; empty when the report has none.
        package let architecture: String
        /// The load address.
        package let base: UInt64
        /// The size in bytes; 0 when the report has none.
        package let size: UInt64
        /// The app's version in the report; nil for most images.
        package var version: String?

        /// Whether it is part of the system, for which there are no symbols here.
        package var isOfSystem: Bool {
            let folders = ["/System/", "/usr/lib/", "/private/preboot/"]
            return folders.contains { path.utf8.starts(with: $0.utf8) }
        }

        /// Whether an offset is inside the image; true when its size is unknown.
        func holds(_ offset: UInt64) -> Bool { size == 0 || offset < size }
    }

    /// A stack frame.
    package struct Frame: Sendable, Equatable {
        /// The index of its image in ``CrashReport/images``; nil when there is none.
        package let image: Int?
        /// The offset in the image in bytes.
        package let offset: UInt64
        /// The address in memory; nil beyond 64 bits.
        package let address: UInt64?
        /// The symbol in the report, such as `objc_msgSend + 32`.
        package let symbol: String?
    }

    package struct Thread: Sendable, Equatable {
        package let number: Int
        /// The thread's name and queue; empty when it has none.
        package let title: String
        package let isCrashed: Bool
        package let frames: [Frame]
    }

    /// A line of the header.
    package struct Fact: Sendable, Equatable {
        package let label, value: String
    }

    /// The header, in the order of Apple's text format.
    package internal(set) var facts: [Fact] = []
    /// Messages of the program and the system, such as that of a fatal error.
    package internal(set) var notes: [String] = []
    package internal(set) var images: [Image] = []
    /// The stack where the exception was thrown; empty without an exception.
    package internal(set) var exceptionFrames: [Frame] = []
    package internal(set) var threads: [Thread] = []

    init() {}

    /// The name of the crashed program.
    package var process: String? { facts.first { $0.label == "Process" }?.value }

    /// The thread that crashed.
    package var crashedThread: Thread? { threads.first(where: \.isCrashed) }

    /// All stacks, beginning with that of the exception.
    package var stacks: [[Frame]] { [exceptionFrames] + threads.map(\.frames) }
}
