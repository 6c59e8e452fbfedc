package import Identifiers
package import Symbols
import Essentials
import Sandboxing

/// Looks up the functions of a crash report in dSYMs.
package struct CrashSymbolication: Sendable {
    /// The maximum number of dSYMs read for one report.
    package static let bundleLimit = 64
    /// The maximum number of addresses looked up in one dSYM.
    private static let addressLimit = 20_000
    /// The maximum time for all dSYMs of a report; no lookup begins after it.
    package static let patience = Duration.seconds(120)

    private let symbolizer: LLVMSymbolizer
    /// The folder in which a working folder is created.
    private let temporary: String

    /// - Parameters:
    ///   - symbolizer: reads the symbols.
    ///   - temporary: the folder for unpacked files; an absolute path.
    package init(by symbolizer: LLVMSymbolizer, in temporary: String) {
        self.symbolizer = symbolizer
        self.temporary = temporary
    }

    /// Looks up every frame whose image has a dSYM.
    ///
    /// An unusable dSYM does not affect the others.
    ///
    /// - Parameters:
    ///   - report: the crash report.
    ///   - bundle: returns the dSYM of a slice; nil when there is none.
    /// - Returns: the report with the names that were found, and the result for each image.
    /// - Throws: ``SymbolizerFailure/noFolder(_:)``, errors of `bundle`, and `CancellationError`.
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
        // A report can list one program as several images.
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
                // If the program was ended by a cancellation, that is not the dSYM's fault.
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

    /// Unpacks a dSYM to a folder that only this user can enter, and removes it afterwards.
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
