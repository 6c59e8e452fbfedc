import Bytes

/// The icons; iOS installs without them, so their faults never stop a phone.
extension InstallSimulation {
    private static let largestIcon = 8 << 20

    mutating func fetchIcons(of offer: Offer) async {
        guard !offer.icons.isEmpty else { return }
        var notes = StepNotes()
        for icon in offer.icons {
            let address = icon.address
            let known = await isTrustedQuietly(address)
            guard known || phone.persistence == .reportsEverything else {
                notes.faults.append(unfetched(icon, "its server is not trusted"))
                continue
            }
            do throws(NetworkFailure) {
                let answer = try await network.fetch(
                    installerRequest(to: address, verifies: known),
                    limit: Self.largestIcon,
                )
                judge(answer, as: icon, noting: &notes)
            } catch {
                let fault = Fault(error, reaching: address, shown: .vanishes)
                notes.faults.append(unfetched(icon, fault.message))
            }
        }
        take(Step(.icons, notes))
    }

    private func judge(_ answer: Answer, as icon: Offer.Icon, noting notes: inout StepNotes) {
        let name = icon.kind.rawValue
        guard answer.status == 200 else {
            notes.faults.append(unfetched(icon, "the server answers with status \(answer.status)"))
            return
        }
        guard let picture = IconHeader(answer.body) else {
            notes.faults.append(
                .warning(
                    .iconUnreadable,
                    "the \(name) is not a PNG (\(answer.type ?? "no type"))",
                    fix: "Serve an ordinary PNG.",
                )
            )
            return
        }
        notes.facts.append("\(name) \(picture.width)×\(picture.height)")
        if picture.isAppleOnly {
            notes.faults.append(
                .warning(
                    .iconAppleOnly,
                    "the \(name) is in Apple's CgBI form, which only apps can show",
                    fix: "Convert it to an ordinary PNG (pngcrush -revert-iphone-optimizations).",
                )
            )
        }
        let side = icon.kind.side
        if picture.width != side || picture.height != side {
            notes.faults.append(
                .warning(
                    .iconSize,
                    "the \(name) is \(picture.width)×\(picture.height), but must be "
                        + "\(side)×\(side)",
                    fix: "Scale it to \(side)×\(side) pixels.",
                )
            )
        }
    }

    private func unfetched(_ icon: Offer.Icon, _ reason: String) -> Fault {
        .warning(
            .iconMissing,
            "the \(icon.kind.rawValue) cannot be fetched: \(reason)",
            fix:
                "Serve the icon; until then, the Home Screen shows a blank one.",
        )
    }
}

/// The header of a PNG file (PNG specification section 11.2.2).
struct IconHeader: Equatable {
    let width: Int
    let height: Int
    /// Whether it begins with a CgBI chunk, which only Apple's decoders read.
    let isAppleOnly: Bool

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature) else { return nil }
        let apple = bytes.dropFirst(12).starts(with: Array("CgBI".utf8))
        // A CgBI chunk has four bytes of data and twelve of framing.
        let start = apple ? 24 : 8
        guard bytes.count >= start + 16,
            bytes[(start + 4)...].starts(with: Array("IHDR".utf8))
        else { return nil }
        isAppleOnly = apple
        width = Self.number(bytes[(start + 8)..<(start + 12)])
        height = Self.number(bytes[(start + 12)..<(start + 16)])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
