import Bytes
import Cryptography
import Foundation
import Sample
import Synchronization

/// The accounts of several teams on one server, as at Apple.
///
/// A token's issuer decides which account a request is for. `POST /control/accounts` with `{"team": …,
/// "name": …}` opens the account of another team, and returns its issuer, key ID and private key;
/// `/control/accounts/TEAM/NAME` is for that account what `/control/NAME` is for the first one.
final class AppleAccounts: Sendable {
    private struct Account {
        let issuer: String
        let team: String
        let api: AppleAPI
    }

    private struct Opening: Decodable {
        let team, name: String
    }

    private let authority: SigningAuthority
    private let keyID: String
    private let contracts: [Contract]
    /// The first one exists from the start.
    private let accounts: Mutex<[Account]>

    /// Opens the account of the authority's own team.
    ///
    /// - Returns: the accounts, and the first account's issuer and private key.
    static func opened(
        under authority: SigningAuthority,
        keyID: String,
        contracts: [Contract],
    ) throws -> (accounts: AppleAccounts, issuer: String, key: PrivateKey) {
        let accounts = AppleAccounts(authority, keyID, contracts)
        let (issuer, key) = try accounts.open(authority)
        return (accounts, issuer, key)
    }

    private init(_ authority: SigningAuthority, _ keyID: String, _ contracts: [Contract]) {
        self.authority = authority
        self.keyID = keyID
        self.contracts = contracts
        accounts = Mutex([])
    }

    /// Returns the response to a request; `origin` is the scheme, host and port that the client used.
    func answer(to request: ReceivedRequest, origin: String) -> AppleAnswer {
        let parts = request.components
        if parts.starts(with: ["control", "accounts"]) {
            guard parts.count == 4 else { return open(request) }
            guard let account = account({ $0.team == parts[2] }) else {
                return AppleAnswer(status: 404)
            }
            let inner = ReceivedRequest(
                method: request.method,
                target: "/control/\(parts[3])",
                authorization: nil,
                body: request.body,
            )
            return account.api.answer(to: inner, origin: origin)
        }
        let issuer = request.authorization.flatMap(TokenCheck.issuer)
        // A request without a known issuer is refused by the first account.
        let account = account { $0.issuer == issuer } ?? account { _ in true }
        return account?.api.answer(to: request, origin: origin) ?? AppleAnswer(status: 500)
    }

    private func account(_ isIt: (Account) -> Bool) -> Account? {
        accounts.withLock { $0.first(where: isIt) }
    }

    private func open(_ authority: SigningAuthority) throws -> (issuer: String, key: PrivateKey) {
        let issuer = UUID().uuidString.lowercased()
        let key = try PrivateKey.generate(.p256)
        let api = AppleAPI(
            authority: authority,
            token: TokenCheck(issuer: issuer, keyID: keyID, key: PublicKey(of: key)),
            contracts: contracts,
        )
        let account = Account(issuer: issuer, team: authority.team.identifier, api: api)
        accounts.withLock { $0.append(account) }
        return (issuer, key)
    }

    private func open(_ request: ReceivedRequest) -> AppleAnswer {
        do {
            let opening = try JSONDecoder().decode(Opening.self, from: Data(request.body))
            let team = DevelopmentTeam(identifier: opening.team, name: opening.name)
            let (issuer, key) = try open(authority.authority(of: team, validFrom: Date()))
            return .json(
                .object([
                    "issuer": .text(issuer), "key": .text(keyID), "pem": .text(key.pem),
                ])
            )
        } catch {
            return .json(.object(["error": .text("\(error)")]), status: 400)
        }
    }
}
