package import Identifiers
package import Symbols

/// A crash report with the names found in symbols.
package struct SymbolicatedReport: Sendable, Equatable {
    /// The result for an image.
    package enum Standing: Sendable, Equatable {
        /// Its frames were looked up in this dSYM.
        case named(String)
        /// There is no dSYM for it.
        case missing
        /// It is part of the system.
        case ofSystem
        /// The report does not contain its UUID.
        case unidentified
        /// The dSYM could not be used.
        case failed(String)
    }

    /// The address of the instruction of a frame.
    struct Place: Hashable {
        let image: Int
        let offset: UInt64
    }

    package let report: CrashReport
    /// The results for images with frames, by their index in the report.
    package internal(set) var standings: [Int: Standing]
    var names: [Place: [SourceFrame]] = [:]

    init(_ report: CrashReport) {
        self.report = report
        standings = [:]
    }

    /// The functions of a frame.
    ///
    /// - Parameters:
    ///   - frame: a frame of the report.
    ///   - position: its index in the stack.
    /// - Returns: the functions, the innermost first; empty if unknown.
    package func names(of frame: CrashReport.Frame, at position: Int) -> [SourceFrame] {
        guard let place = Self.place(of: frame, at: position) else { return [] }
        return names[place] ?? []
    }

    /// The place of a frame's instruction.
    ///
    /// All frames but the top one have return addresses, which follow the call instruction.
    static func place(of frame: CrashReport.Frame, at position: Int) -> Place? {
        guard let image = frame.image else { return nil }
        let isCall = position > 0 && frame.offset > 0
        return Place(image: image, offset: frame.offset - (isCall ? 1 : 0))
    }

    /// The number of frames with a name and of all frames, without those in system images.
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

    /// The text for a frame without symbols: its symbol in the report, or its address in the image.
    package func plainName(of frame: CrashReport.Frame) -> String {
        if let symbol = frame.symbol { return symbol }
        guard let image = frame.image else { return "in no image" }
        return "0x" + String(report.images[image].base, radix: 16) + " + \(frame.offset)"
    }
}

extension CrashReport {
    /// The indices of the images with frames for which dSYMs may exist, those of the crashed thread
    /// first.
    package var imagesToName: [Int] {
        var known: Set<Int> = []
        let order = [exceptionFrames] + [crashedThread?.frames ?? []] + threads.map(\.frames)
        return order.joined().compactMap(\.image).filter { image in
            known.insert(image).inserted && images[image].uuid != nil && !images[image].isOfSystem
        }
    }

    /// The distinct UUIDs of these images.
    package var wantedUUIDs: [ImageUUID] {
        var known: Set<ImageUUID> = []
        return imagesToName.compactMap { images[$0].uuid }.filter { known.insert($0).inserted }
    }
}
