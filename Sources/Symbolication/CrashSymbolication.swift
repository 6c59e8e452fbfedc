package import Identifiers
package import Symbols
import Essentials
import Sandboxing

/// Finds the functions of a crash report in dSYMs.
package struct CrashSymbolication: Sendable {
    /// dSYMs that are read for one report.
    package static let bundleLimit = 64
    /// Addresses that are looked up in one of them.
    private static let addressLimit = 20_000
    /// How long the dSYMs of one report may take, one after the other; nothing is begun after it.
    package static let patience = Duration.seconds(120)

    private let symbolizer: LLVMSymbolizer
    /// The folder in which a folder for the work is made.
    private let temporary: String

    /// - Parameters:
    ///   - symbolizer: reads the symbols.
    ///   - temporary: a folder for what is unpacked, absolute.
    package init(by symbolizer: LLVMSymbolizer, in temporary: String) {
        self.symbolizer = symbolizer
        self.temporary = temporary
    }

    /// Looks up every frame whose image has a dSYM among those that are given.
    ///
    /// A dSYM that cannot be used costs no other its names.
    ///
    /// - Parameters:
    ///   - report: the crash report.
    ///   - bundle: gives the dSYM of a slice; nil where there is none.
    /// - Returns: the report with the names that were found, and what became of each image.
    /// - Throws: ``SymbolizerFailure/noFolder(_:)``, what `bundle` throws, and `CancellationError`.
    package func names(
        of report: CrashReport,
        in bundle: (ImageUUID) async throws -> SymbolBundle?,
    ) async throws -> SymbolicatedReport {
        var result = SymbolicatedReport(report)
        for image in Set(report.stacks.joined().compactMap(\.image)) {
            let loaded = report.images[image]
            result.standings[image] =
                loaded.isOfSystem ? .ofSystem : loaded.uuid == nil ? .unidentified : .missing
        }
        let deadline = ContinuousClock.now + Self.patience
        var count = 0
        // A report can list one program under many images.
        let images = Dictionary(grouping: report.imagesToName) { report.images[$0].uuid }
        for uuid in report.wantedUUIDs {
            try Task.checkCancellation()
            let images = images[uuid] ?? []
            func note(_ standing: SymbolicatedReport.Standing) {
                for image in images { result.standings[image] = standing }
            }
            guard count < Self.bundleLimit else {
                note(.failed("the report needs too many dSYMs"))
                continue
            }
            guard ContinuousClock.now < deadline else {
                note(.failed("the dSYMs before it took too long"))
                continue
            }
            do {
                guard let found = try await bundle(uuid) else { continue }
                count += 1
                try Task.checkCancellation()
                let offsets = Set(images.flatMap { Self.offsets(in: report, of: $0) }).sorted()
                let named = try await frames(
                    at: Array(offsets.prefix(Self.addressLimit)),
                    of: uuid,
                    in: found,
                )
                for image in images {
                    for (offset, frames) in named {
                        result.names[.init(image: image, offset: offset)] = frames
                    }
                }
                note(.named(found.name))
            } catch let failure as SymbolizerFailure {
                // A program that was ended for this reason says nothing of the dSYM.
                try Task.checkCancellation()
                if failure == .notInstalled { throw failure }
                if case .noFolder = failure { throw failure }
                note(.failed(failure.description))
            }
        }
        return result
    }

    private static func offsets(in report: CrashReport, of image: Int) -> [UInt64] {
        var offsets: Set<UInt64> = []
        for stack in report.stacks {
            for (position, frame) in stack.enumerated() where frame.image == image {
                guard offsets.count < addressLimit,
                    let place = SymbolicatedReport.place(of: frame, at: position)
                else { continue }
                offsets.insert(place.offset)
            }
        }
        return offsets.sorted()
    }

    /// Unpacks a dSYM into a folder that no one else may enter, and removes it in the end.
    private func frames(
        at offsets: [UInt64],
        of uuid: ImageUUID,
        in bundle: SymbolBundle,
    ) async throws -> [UInt64: [SourceFrame]] {
        guard let slice = try? await blocking({ try bundle.slice(uuid) }) else {
            throw SymbolizerFailure.ended("was not started, because the dSYM cannot be read")
        }
        let addresses = offsets.compactMap { offset -> (offset: UInt64, address: UInt64)? in
            let sum = slice.textAddress.addingReportingOverflow(offset)
            return sum.overflow ? nil : (offset, sum.partialValue)
        }
        let folder = try await blocking { [temporary] () throws(SymbolizerFailure) in
            try WorkFolder(in: temporary)
        }
        defer { folder.remove() }
        do {
            try await blocking { try folder.unpack(bundle) }
        } catch let failure as SymbolizerFailure {
            throw failure
        } catch {
            throw SymbolizerFailure.ended("was not started, because the dSYM cannot be unpacked")
        }
        let found = try await symbolizer.frames(
            at: addresses.map(\.address),
            of: slice.architecture,
            in: WorkFolder.file,
            of: folder.path,
        )
        return addresses.reduce(into: [:]) { names, place in
            names[place.offset] = found[place.address]
        }
    }
}
