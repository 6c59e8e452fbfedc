import Cryptography

extension SigningAuthority {
    /// The anchor only, which is the part to distribute.
    package var anchorPEM: String { anchor.pem }

    /// All certificates and private keys, in the order that ``init(pem:)`` expects.
    package var privatePEM: String {
        identities.map { $0.certificate.pem + $0.key.pem }.joined()
    }

    /// For each identity, the indices of its issuers.
    private static let issuers = [[], [0], [0], [0], [1, 0], [3, 0], [2, 0], [2, 0]]

    /// Reads what ``privatePEM`` wrote.
    package init(pem: String) throws {
        let blocks = pem.components(endingWith: "-----END ")
        let certificates = try blocks.filter { $0.contains("BEGIN CERTIFICATE") }
            .flatMap { try Certificate.chain(pem: $0) }
        let keys = try blocks.filter { $0.contains("PRIVATE KEY") }.map { try PrivateKey(pem: $0) }
        guard certificates.count == Self.issuers.count, keys.count == Self.issuers.count else {
            throw SampleFailure.incompleteAuthority("certificates with their keys")
        }
        var identities: [SigningIdentity] = []
        for (index, chain) in Self.issuers.enumerated() {
            guard keys[index].matches(certificates[index]) else {
                throw SampleFailure.incompleteAuthority(
                    "the key of \(certificates[index].subject.commonName ?? "a certificate")"
                )
            }
            identities.append(
                SigningIdentity(
                    certificate: certificates[index],
                    key: keys[index],
                    chain: chain.map { certificates[$0] },
                )
            )
        }
        let leaf = certificates[6].subject
        self.init(
            team: DevelopmentTeam(
                identifier: leaf.organizationalUnit ?? "",
                name: leaf.organization ?? "",
            ),
            identities: identities,
        )
    }
}

extension String {
    /// Splits the text after every line that contains `marker`.
    fileprivate func components(endingWith marker: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for line in split(separator: "\n") {
            piece += line + "\n"
            if line.hasPrefix(marker) {
                pieces.append(piece)
                piece = ""
            }
        }
        return pieces
    }
}
