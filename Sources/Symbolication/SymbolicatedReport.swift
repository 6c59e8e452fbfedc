package import Identifiers
package import Symbols

/// A crash report and the names of what symbols know of it.
package struct SymbolicatedReport: Sendable, Equatable {
    /// What became of an image.
    package enum Standing: Sendable, Equatable {
        /// Its frames were looked up in this dSYM.
        case named(String)
        /// No one here has symbols of it.
        case missing
        /// A part of the system.
        case ofSystem
        /// The report does not say which build of it was loaded.
        case unidentified
        /// The dSYM could not be used.
        case failed(String)
    }

    /// An address as a frame means it.
    struct Place: Hashable {
        let image: Int
        let offset: UInt64
    }

    package let report: CrashReport
    /// Those of the images that some frame is in, by their place in the report.
    package internal(set) var standings: [Int: Standing]
    var names: [Place: [SourceFrame]] = [:]

    init(_ report: CrashReport) {
        self.report = report
        standings = [:]
    }

    /// The functions of a frame.
    ///
    /// - Parameters:
    ///   - frame: one of the report's.
    ///   - position: its place on the stack.
    /// - Returns: them, the innermost first; empty for unknown ones.
    package func names(of frame: CrashReport.Frame, at position: Int) -> [SourceFrame] {
        guard let place = Self.place(of: frame, at: position) else { return [] }
        return names[place] ?? []
    }

    /// Above the top of a stack an address is where a call returns to, one instruction behind the call.
    static func place(of frame: CrashReport.Frame, at position: Int) -> Place? {
        guard let image = frame.image else { return nil }
        let isCall = position > 0 && frame.offset > 0
        return Place(image: image, offset: frame.offset - (isCall ? 1 : 0))
    }

    /// The frames that were given a name, of those in images that are not the system's.
    package var count: (named: Int, all: Int) {
        var (named, all) = (0, 0)
        for stack in report.stacks {
            for (position, frame) in stack.enumerated() {
                guard let image = frame.image, !report.images[image].isOfSystem else { continue }
                all += 1
                if !names(of: frame, at: position).isEmpty { named += 1 }
            }
        }
        return (named, all)
    }

    /// How a frame reads without symbols: as the report names it, or as a place in its image.
    package func plainName(of frame: CrashReport.Frame) -> String {
        if let symbol = frame.symbol { return symbol }
        guard let image = frame.image else { return "in no image" }
        return "0x" + String(report.images[image].base, radix: 16) + " + \(frame.offset)"
    }
}

extension CrashReport {
    /// The images, by their place, in which some frame is, and that dSYMs may exist of, those of the thread
    /// that crashed first.
    package var imagesToName: [Int] {
        var known: Set<Int> = []
        let order = [exceptionFrames] + [crashedThread?.frames ?? []] + threads.map(\.frames)
        return order.joined().compactMap(\.image).filter { image in
            known.insert(image).inserted && images[image].uuid != nil && !images[image].isOfSystem
        }
    }

    /// The UUIDs of these images, each once.
    package var wantedUUIDs: [ImageUUID] {
        var known: Set<ImageUUID> = []
        return imagesToName.compactMap { images[$0].uuid }.filter { known.insert($0).inserted }
    }
}
