package import Identifiers

/// What a phone wrote when a program ended: what happened, where every thread was, and which images were
/// loaded.
package struct CrashReport: Sendable, Equatable {
    /// A program or library in memory.
    package struct Image: Sendable, Equatable {
        package let uuid: ImageUUID?
        package let name: String
        package let path: String
        /// As in `arm64`; empty where the report does not say.
        package let architecture: String
        /// Where it was loaded.
        package let base: UInt64
        /// Bytes; 0 where the report does not say.
        package let size: UInt64
        /// Of the app, as the report has it; nil for most.
        package var version: String?

        /// Whether it belongs to the system, of which no one here has symbols.
        package var isOfSystem: Bool {
            let folders = ["/System/", "/usr/lib/", "/private/preboot/"]
            return folders.contains { path.utf8.starts(with: $0.utf8) }
        }

        /// Whether an address may lie in it; any where its size is unknown.
        func holds(_ offset: UInt64) -> Bool { size == 0 || offset < size }
    }

    /// A place on a stack.
    package struct Frame: Sendable, Equatable {
        /// The place of its image in ``CrashReport/images``; nil where there is none.
        package let image: Int?
        /// Bytes from the beginning of the image.
        package let offset: UInt64
        /// Where it was in memory; nil beyond 64 bits.
        package let address: UInt64?
        /// As the report names it itself, such as `objc_msgSend + 32`.
        package let symbol: String?
    }

    package struct Thread: Sendable, Equatable {
        package let number: Int
        /// Its name and queue; empty for none.
        package let title: String
        package let isCrashed: Bool
        package let frames: [Frame]
    }

    /// One line of the head.
    package struct Fact: Sendable, Equatable {
        package let label, value: String
    }

    /// What it says of itself, in the order of Apple's text form.
    package internal(set) var facts: [Fact] = []
    /// What the program and the system said, such as the message of a fatal error.
    package internal(set) var notes: [String] = []
    package internal(set) var images: [Image] = []
    /// Where the exception was thrown; empty where none was.
    package internal(set) var exceptionFrames: [Frame] = []
    package internal(set) var threads: [Thread] = []

    init() {}

    /// The name of the program that ended.
    package var process: String? { facts.first { $0.label == "Process" }?.value }

    /// The thread that ended the program.
    package var crashedThread: Thread? { threads.first(where: \.isCrashed) }

    /// Every stack, that of the exception first.
    package var stacks: [[Frame]] { [exceptionFrames] + threads.map(\.frames) }
}
