import OTAClient
import Problems
import Testing

struct ServerProblemTests {
    @Test func `only the client's own token is told by another token`() {
        let apple = Problem(
            id: "apple.key-refused",
            kind: .refused,
            message: "Apple does not accept the key",
            fix: "create a key",
        )
        #expect(ServerFailure.problem(ofServer: apple) == apple)
        let own = Problem(
            id: "token.not-allowed",
            kind: .refused,
            message: "the token does not allow this",
            fix: "see the scopes",
        )
        let fix = ServerFailure.problem(ofServer: own).fix
        #expect(fix.contains("ota tokens create"))
    }
}
