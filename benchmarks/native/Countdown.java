import java.util.Scanner;

/** Twenty exchanges: a prompt, an answer, a line about it. */
public class Countdown {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int left = 40; left > 0; left -= 2) {
            System.out.print(left + " left. Take one or two? ");
            int answer = in.nextInt();
            if (answer < 1 || answer > 2) {
                System.out.println("No.");
                answer = 2;
            }
            System.out.println("You took " + answer + ".");
        }
        System.out.println("Done.");
    }
}
