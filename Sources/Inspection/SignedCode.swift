import Bundles
import Bytes
import CodeSignature
import Identifiers
import MachOFormat

/// One Mach-O file of an app that a bundle names, and whose profile has to allow it.
struct SignedCode {
    let bundle: AppBundle
    /// The bundle itself, or the nearest around it that has a profile of its own.
    let host: AppBundle
    /// Whether it runs on a watch.
    let isForWatch: Bool
    let executable: ExecutableEvidence
    let seal: SealEvidence?

    var path: RelativePath { executable.path }

    /// What a device picks of the executable, and so what counts.
    var slices: [SliceEvidence] {
        executable.slices.picked(forWatch: isForWatch, from: host.info.minimumOS)
    }

    /// Whether anything can be said of the signature.
    var isSigned: Bool { slices.contains { $0.signature.evidence != nil } }

    /// What each slice that is signed says, with the slice.
    var signatures: [(slice: SliceEvidence, evidence: CodeSignatureEvidence)] {
        slices.compactMap { slice in slice.signature.evidence.map { (slice, $0) } }
    }
}

extension [SliceEvidence] {
    /// Those that a device can run, and where there is none, all of them.
    ///
    /// What is left over, for simulators or for phones older than the app allows, is never checked
    /// on a device.
    func picked(forWatch isForWatch: Bool, from minimum: OSVersion?) -> [SliceEvidence] {
        // iOS 11 was the first without 32-bit devices.
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

    /// Of phones up to the iPhone 5 and 5c.
    var isOfOldPhones: Bool { self == .armv7 || self == .armv7s }
}

extension InspectionInput {
    /// The executables of the app and of everything in it, depth first; without those that are
    /// missing, which is a finding of its own.
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
