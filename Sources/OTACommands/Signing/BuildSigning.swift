import Bytes
import Cryptography
import Foundation
import Identifiers
import Inspection
import Packaging
import Problems
import Signing
import Synchronization
import Zip

/// Signs one build into an open file, and checks whether the result can be installed.
struct BuildSigning {
    enum Phase: String {
        case reading = "Reading and signing"
        case writing = "Writing"
        case checking = "Checking"
    }

    let input: SignInput
    /// The empty file to write to.
    let file: PartialFile
    let request: SigningRequest

    /// Plans the signatures, writes the build and inspects the result, without opening any file.
    ///
    /// - Throws: what is wrong with the build, the request or the disk.
    func run(progress: @escaping @Sendable (Phase, Double) -> Void) throws -> SignedBuild {
        let archive: ZipArchive
        do throws(ZipRefusal) {
            archive = try ZipArchive(reading: input.source)
        } catch {
            let refusal = UnreadableArchive(error)
            guard error.rule == .notAnArchive else { throw refusal }
            throw Problem(
                id: refusal.id,
                kind: refusal.kind,
                message: refusal.description,
                place: refusal.place,
                fix: "give an .ipa as Xcode exports it, an .xcarchive or an .app folder",
            )
        }
        let plan = try PackageSigner(archive, for: request, archived: input.archived)
            .plan { progress(.reading, $0) }
        let output = DigestedFile(file)
        try unsafe plan.write(
            packing: input.isFolder,
            progress: { progress(.writing, $0) },
            copier: { try output.copy($0, of: $1) },
        ) {
            try unsafe output.write($0)
        }
        let digest = try output.finish()
        progress(.checking, 0)
        // The file is flushed to the disk while its new parts are read again.
        let source = try file.source()
        let checking = Checking(plan, of: source, request, digest)
        let written = Result { try file.finish() }
        let (report, sha256) = try checking.wait()
        try written.get()
        progress(.checking, 1)
        return SignedBuild(
            bundles: plan.bundles,
            report: report,
            sha256: sha256,
            size: source.count,
            date: request.date,
        )
    }
}

/// A signed build and its inspection.
struct SignedBuild: Sendable {
    let bundles: [SignedBundle]
    let report: InspectionReport
    let sha256: SHA256Digest
    let size: Int
    let date: Date
    /// The devices in the app's profile that cannot install the build.
    let refused: [(device: DeviceUDID, reasons: [Finding])]

    init(
        bundles: [SignedBundle],
        report: InspectionReport,
        sha256: SHA256Digest,
        size: Int,
        date: Date,
    ) {
        self.bundles = bundles
        self.report = report
        self.sha256 = sha256
        self.size = size
        self.date = date
        refused = Self.refused(by: report, at: date)
    }

    /// Whether at least one device can install it: if the app's profile lists devices, one of those.
    var installs: Bool {
        guard report.verdict(at: date).verdict != .blocked else { return false }
        let devices = report.profile?.devices ?? []
        return devices.isEmpty || refused.count < devices.count
    }

    private static func refused(
        by report: InspectionReport,
        at date: Date,
    ) -> [(device: DeviceUDID, reasons: [Finding])] {
        var judge = ReportJudge(report, at: date)
        return (report.profile?.devices ?? []).compactMap { device in
            let verdict = judge.verdict(for: DeviceFacts(udid: device))
            return verdict.verdict == .blocked ? (device, verdict.reasons) : nil
        }
    }
}

/// Inspection of the written file, on another thread.
private final class Checking: Sendable {
    private let thread: WorkerThread?
    private let digest: SideDigest
    private let report: Inspected

    init(
        _ plan: SigningPlan,
        of source: FileSource,
        _ request: SigningRequest,
        _ digest: SideDigest,
    ) {
        self.digest = digest
        let report = Inspected()
        self.report = report
        let work: @Sendable () -> Void = {
            let result = Result {
                try plan.inspect(
                    source,
                    sha256: { digest.wait() },
                    trusting: request.anchors,
                    at: request.date,
                ).report
            }
            report.value.withLock { $0 = result }
        }
        thread = WorkerThread(work)
        if thread == nil { work() }
    }

    private final class Inspected: Sendable {
        let value = Mutex<Result<InspectionReport, any Error>?>(nil)
    }

    func wait() throws -> (InspectionReport, SHA256Digest) {
        thread?.join()
        guard let report = report.value.withLock({ $0 }) else {
            throw SourceFailure(offset: 0, reason: "reading did not finish")
        }
        return (try report.get(), digest.wait())
    }
}
