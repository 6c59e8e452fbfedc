import Bundles
import Bytes
import CodeSignature
import Identifiers
import MachOFormat

/// A Mach-O file that a bundle names as its executable, with the bundle whose profile must grant its
/// entitlements.
struct SignedCode {
    let bundle: AppBundle
    /// The bundle itself, or the nearest enclosing one with a profile of its own.
    let host: AppBundle
    /// Whether it runs on a watch.
    let isForWatch: Bool
    let executable: ExecutableEvidence
    let seal: SealEvidence?

    var path: RelativePath { executable.path }

    /// The slices that a device may pick, which are those that the rules check.
    var slices: [SliceEvidence] {
        executable.slices.picked(forWatch: isForWatch, from: host.info.minimumOS)
    }

    /// Whether any slice has a readable signature.
    var isSigned: Bool { slices.contains { $0.signature.evidence != nil } }

    /// Each slice that has a signature, with the evidence on it.
    var signatures: [(slice: SliceEvidence, evidence: CodeSignatureEvidence)] {
        slices.compactMap { slice in slice.signature.evidence.map { (slice, $0) } }
    }
}

extension [SliceEvidence] {
    /// The slices that a device can run; all of them if there are none.
    ///
    /// Other slices, for simulators or for iPhones older than the app supports, are never checked on a
    /// device.
    func picked(forWatch isForWatch: Bool, from minimum: OSVersion?) -> [SliceEvidence] {
        // iOS 11 was the first version without support for 32-bit devices.
        let isForOldPhones = minimum.map { $0.major < 11 } ?? true
        let picked = filter {
            $0.processor.isOfDevices(watch: isForWatch)
                || isForOldPhones && $0.processor.isOfOldPhones
        }
        return picked.isEmpty ? self : picked
    }
}

extension Processor {
    func isOfDevices(watch: Bool) -> Bool {
        switch self {
        case .arm64, .arm64e, .arm64eX1: true
        case .arm64_32, .armv7k: watch
        default: false
        }
    }

    /// Whether it is of the iPhones up to the 5 and 5c.
    var isOfOldPhones: Bool { self == .armv7 || self == .armv7s }
}

extension InspectionInput {
    /// The executables of the app and its nested bundles, depth first.
    ///
    /// Missing ones are left out; another rule reports them.
    var code: [SignedCode] { code(of: application, in: application, isForWatch: false) }

    private func code(
        of bundle: AppBundle,
        in host: AppBundle,
        isForWatch: Bool,
    ) -> [SignedCode] {
        let host = bundle.kind.hasOwnProfile ? bundle : host
        let isForWatch = isForWatch || bundle.kind == .watchApplication
        let nested = bundle.nested.flatMap { code(of: $0, in: host, isForWatch: isForWatch) }
        guard bundle.defects.isEmpty, let signatures = signatures(of: bundle),
            let executable = signatures.executable
        else { return nested }
        return [
            SignedCode(
                bundle: bundle,
                host: host,
                isForWatch: isForWatch,
                executable: executable,
                seal: signatures.seal,
            )
        ] + nested
    }
}
