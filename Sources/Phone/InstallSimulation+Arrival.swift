import Bytes
import Cryptography
import Foundation

/// The end of a download.
extension InstallSimulation {
    /// A completely downloaded app.
    struct Arrival {
        let file: URL
        let size: Int
        let sha256: SHA256Digest
        let pieces: PieceCheck?
        let resumptions: Int
    }

    /// Finishes a download with its two steps.
    mutating func arrive(_ transfer: Download, _ attempt: Transfer) -> Arrival? {
        var notes = attempt.notes
        let wrongPiece = transfer.pieces?.mismatch != nil
        let isWhole = !notes.hasFailed && !(wrongPiece && phone.persistence == .stopsLikeAPhone)
        notes.facts.append("\(transfer.received.grouped) bytes")
        if attempt.resumptions > 0 {
            let times = attempt.resumptions == 1 ? "once" : "\(attempt.resumptions) times"
            notes.facts.append("interrupted and resumed \(times)")
        }
        let digest: SHA256Digest
        do throws(NetworkFailure) {
            digest = try transfer.finish()
        } catch {
            notes.faults.append(
                Fault(error, reaching: attempt.archive.address, shown: attempt.screen)
            )
            take(Step(.download, notes))
            transfer.discard()
            return nil
        }
        if isWhole { notes.facts.append("SHA-256 \(digest)") }
        take(Step(.download, notes))
        guard !notes.hasFailed else {
            transfer.discard()
            return nil
        }
        judge(transfer.pieces, of: attempt.offer)
        guard isWhole else {
            transfer.discard()
            return nil
        }
        return Arrival(
            file: transfer.file,
            size: transfer.received,
            sha256: digest,
            pieces: transfer.pieces,
            resumptions: attempt.resumptions,
        )
    }

    private mutating func judge(_ pieces: PieceCheck?, of offer: Offer) {
        guard let digests = offer.digests, let pieces else {
            take(Step(skipping: .digests, because: "the manifest gives none"))
            return
        }
        var notes = StepNotes()
        let name = digests.algorithm == .sha256 ? "SHA-256" : "MD5"
        if let wrong = pieces.mismatch {
            let place = digests.size.map {
                "piece \(wrong + 1) of \(digests.digests.count) (\($0.grouped) bytes each)"
            }
            notes.faults.append(
                .failure(
                    .digestMismatch,
                    "the app differs from the manifest's \(name) in \(place ?? "the whole")",
                    shown: .cannotDownload(title: offer.title),
                    fix:
                        "Create the manifest again for the app that is served; it belongs to "
                        + "another file.",
                )
            )
        } else {
            notes.facts.append("\(digests.digests.count) × \(name)")
        }
        take(Step(.digests, notes))
    }
}
